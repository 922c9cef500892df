import crypto from "node:crypto";
import tls from "node:tls";
import type { Guard } from "../ask.ts";
import { faced } from "../exec/face.ts";
import type { Patches } from "../patch.ts";
import { requireAllowed } from "../required-allow.ts";
import type { AnyFunction } from "../wrap.ts";

const why = "OpenSSL loads an engine as native code";

/**
 * OpenSSL engines are native code, named by an id or by a path: `crypto.setEngine {engine}`, and `tls.createSecureContext {engine}` for the keys
 * and certificates of a TLS context, whichever way it is made. They run where a rule rewrites `allow` to true.
 */
export const guardCryptoEngines = (patches: Patches, guard: Guard): void => {
  patches.replace(crypto, "setEngine", (original: AnyFunction) => {
    function guarded(this: unknown, engine: unknown, ...rest: unknown[]): unknown {
      if (typeof engine === "string") requireAllowed(guard, "crypto.setEngine", { engine }, why);
      return Reflect.apply(original, this, [engine, ...rest]);
    }
    return faced(guarded, original);
  });
  const context = contextPrototype();
  for (const [key, at] of [
    ["setEngineKey", 1],
    ["setClientCertEngine", 0],
  ] as const) {
    patches.replace(context, key, (original: AnyFunction) => {
      function guarded(this: unknown, ...args: unknown[]): unknown {
        requireAllowed(guard, "tls.createSecureContext", { engine: String(args[at]) }, why);
        return Reflect.apply(original, this, args);
      }
      return faced(guarded, original);
    });
  }
};

/** The class beneath every TLS context: no module exports it, and each context holds one. */
const contextPrototype = (): object => {
  const { SecureContext } = tls as unknown as { readonly SecureContext: new () => { readonly context: object } };
  return Object.getPrototypeOf(new SecureContext().context) as object;
};
