import dns from "node:dns";
import { blocked } from "../../ask.ts";
import { itemsOf } from "../../items-of.ts";
import type { Guard } from "../ask.ts";
import type { Patches } from "../patch.ts";
import { refuseInside } from "../refuse-inside.ts";
import { refusedArguments } from "../refused-arguments.ts";
import { type AnyFunction, guardSync, type Spec } from "../wrap.ts";
import { dressed } from "./dressed.ts";

const action = "dns.setServers";

const spec: Spec = {
  action,
  hold: ([servers, ...rest]) => [Array.isArray(servers) ? itemsOf(servers) : servers, ...rest],
  project: ([servers]) => (Array.isArray(servers) ? { servers: itemsOf(servers).map(String) } : {}),
  apply: ([, ...rest], changed) => [changed.servers, ...rest],
};

/**
 * `setServers`: queries then go to a server that somebody else keeps. Beneath it lies the resolver's handle, which is asked for as
 * well where other servers come to it than those that were judged. `dns.setServers` is a call of a resolver's own.
 */
export const guardNameServers = (patches: Patches, guard: Guard): void => {
  let judged: readonly string[] | null = null;
  const { _handle } = new dns.Resolver() as unknown as { readonly _handle: object };
  for (const prototype of [dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
    patches.replace(holderOf(prototype, "setServers"), "setServers", (original: AnyFunction) => {
      function setJudged(this: unknown, servers: unknown, ...rest: unknown[]): unknown {
        judged = Array.isArray(servers) ? itemsOf<unknown>(servers).map(String) : null;
        try {
          return Reflect.apply(original, this, [servers, ...rest]);
        } finally {
          judged = null;
        }
      }
      const guarded = guardSync(setJudged, spec, guard);
      return dressed(function (this: unknown, ...args: unknown[]): unknown {
        return Reflect.apply(guarded, this, args);
      }, original);
    });
  }
  patches.replace(Object.getPrototypeOf(_handle) as object, "setServers", (original: AnyFunction) =>
    dressed(function (this: unknown, given: unknown, ...rest: unknown[]): unknown {
      const known = judged ?? [];
      judged = null;
      const servers = refusedArguments(action, () => heldServers(given));
      if (!servers.every((server) => namesOf(server).some((name) => known.includes(name)))) {
        refuseInside(action);
        const asked = guard.askSync(action, { servers: servers.map((server) => namesOf(server)[0]) });
        if (asked.args !== null) throw blocked(action, "a rewrite of it is not supported");
      }
      return Reflect.apply(original, this, [servers, ...rest]);
    }, original),
  );
};

type Server = readonly [family: number, address: string, port: number];

const heldServers = (given: unknown): readonly Server[] =>
  itemsOf<readonly unknown[]>(given as readonly (readonly unknown[])[]).map((server) => {
    const [family, address, port] = itemsOf<unknown>(server);
    return [Number(family), String(address), Number(port)] as const;
  });

const usualPort = 53;

/** How a program writes it. */
const namesOf = ([, address, port]: Server): readonly string[] => [
  ...(address.includes(":") ? [] : [`${address}:${port}`]),
  `[${address}]:${port}`,
  ...(port === usualPort ? [address, `[${address}]`] : []),
];

const holderOf = (object: object, key: string): object => {
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    if (Object.hasOwn(at, key)) return at;
  }
  return object;
};
