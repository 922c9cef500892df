import dns from "node:dns";
import { isIP } from "node:net";
import type { Guard } from "../ask.ts";
import type { Patches } from "../patch.ts";
import { type AnyFunction, guardCallback, guardPromise, type Spec } from "../wrap.ts";
import { dressed } from "./dressed.ts";
import { guardNameServers } from "./name-servers.ts";

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

export const guardNames = (patches: Patches, guard: Guard): void => {
  const promises: object = dns.promises;
  const callbackResolver: object = dns.Resolver.prototype;
  const promiseResolver: object = dns.promises.Resolver.prototype;

  const asking =
    (wrap: typeof guardCallback, name: string, isUnasked = isNoName) =>
    (original: AnyFunction): AnyFunction =>
      unless(isUnasked, original, wrap(original, spec(name), guard));

  patches.replace(dns, "lookup", asking(guardCallback, "lookup", isNoNameToLookUp));
  patches.replace(promises, "lookup", asking(guardPromise, "lookup", isNoNameToLookUp));
  patches.replace(dns, "lookupService", asking(guardCallback, "reverse"));
  patches.replace(promises, "lookupService", asking(guardPromise, "reverse"));
  for (const name of queryNames) {
    for (const holder of [dns, callbackResolver]) patches.replace(holder, name, asking(guardCallback, name));
    for (const holder of [promises, promiseResolver]) patches.replace(holder, name, asking(guardPromise, name));
  }
  guardNameServers(patches, guard);
};

/** What is no name Node refuses, or answers without a query. */
const isNoName = (value: unknown): boolean => typeof value !== "string" || value === "";

/** An address needs no query either, and `dgram` looks up each one that it sends to. */
const isNoNameToLookUp = (value: unknown): boolean => isNoName(value) || isIP(value as string) !== 0;

const unless = (isUnasked: (name: unknown) => boolean, original: AnyFunction, guarded: AnyFunction): AnyFunction =>
  dressed(function (this: unknown, ...args: unknown[]): unknown {
    return Reflect.apply(isUnasked(args[0]) ? original : guarded, this, args);
  }, guarded);
