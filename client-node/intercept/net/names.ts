import dns from "node:dns";
import { isIP } from "node:net";
import type { Guard } from "../ask.ts";
import type { Patches } from "../patch.ts";
import { type AnyFunction, guardCallback, guardPromise, guardSync, type Spec } from "../wrap.ts";
import { dressed } from "./dressed.ts";

export const nameAction = "dns.lookup";

/** The queries, and the record that each asks for. `dns.resolve` takes it as its second argument. */
const records: Readonly<Record<string, string>> = {
  resolve4: "A",
  resolve6: "AAAA",
  resolveAny: "ANY",
  resolveCaa: "CAA",
  resolveCname: "CNAME",
  resolveMx: "MX",
  resolveNaptr: "NAPTR",
  resolveNs: "NS",
  resolvePtr: "PTR",
  resolveSoa: "SOA",
  resolveSrv: "SRV",
  resolveTlsa: "TLSA",
  resolveTxt: "TXT",
  reverse: "PTR",
};

export const queryNames: readonly string[] = ["resolve", ...Object.keys(records)];

/** `{hostname, record?}`: a query carries its name to a server, and the name may carry anything. */
const spec = (method: string): Spec => ({
  action: nameAction,
  project([hostname, record]) {
    const view: Record<string, unknown> = typeof hostname === "string" ? { hostname } : {};
    const shown = method === "resolve" ? (typeof record === "string" ? record : "A") : records[method];
    if (shown !== undefined) view.record = shown;
    return view;
  },
  apply([hostname, ...rest], changed) {
    if (typeof changed.hostname !== "string") throw new TypeError("no hostname");
    return typeof hostname === "string" ? [changed.hostname, ...rest] : [hostname, ...rest];
  },
});

const serversSpec: Spec = {
  action: "dns.setServers",
  hold: ([servers, ...rest]) => [Array.isArray(servers) ? [...servers] : servers, ...rest],
  project: ([servers]) => (Array.isArray(servers) ? { servers: servers.map(String) } : {}),
  apply: ([, ...rest], changed) => [changed.servers, ...rest],
};

export const guardNames = (patches: Patches, guard: Guard): void => {
  const promises: object = dns.promises;
  const callbackResolver: object = dns.Resolver.prototype;
  const promiseResolver: object = dns.promises.Resolver.prototype;

  patches.replace(dns, "lookup", (original: AnyFunction) =>
    unlessAddress(original, guardCallback(original, spec("lookup"), guard)),
  );
  patches.replace(promises, "lookup", (original: AnyFunction) =>
    unlessAddress(original, guardPromise(original, spec("lookup"), guard)),
  );
  patches.replace(dns, "lookupService", (original: AnyFunction) => guardCallback(original, spec("reverse"), guard));
  patches.replace(promises, "lookupService", (original: AnyFunction) => guardPromise(original, spec("reverse"), guard));
  for (const name of queryNames) {
    for (const holder of [dns, callbackResolver]) {
      patches.replace(holder, name, (original: AnyFunction) => guardCallback(original, spec(name), guard));
    }
    for (const holder of [promises, promiseResolver]) {
      patches.replace(holder, name, (original: AnyFunction) => guardPromise(original, spec(name), guard));
    }
  }
  // Queries then go to a server that somebody else keeps. `dns.setServers` is a call of the resolver's own, which is what asks.
  for (const prototype of [callbackResolver, promiseResolver]) {
    patches.replace(holderOf(prototype, "setServers"), "setServers", (original: AnyFunction) =>
      guardSync(original, serversSpec, guard),
    );
  }
};

const holderOf = (object: object, key: string): object => {
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    if (Object.hasOwn(at, key)) return at;
  }
  return object;
};

/** An address needs no query, and `dgram` looks up each one that it sends to. */
const unlessAddress = (original: AnyFunction, guarded: AnyFunction): AnyFunction =>
  dressed(function (this: unknown, ...args: unknown[]): unknown {
    const [hostname] = args;
    const asksNobody = !hostname || (typeof hostname === "string" && isIP(hostname) !== 0);
    return Reflect.apply(asksNobody ? original : guarded, this, args);
  }, guarded);
