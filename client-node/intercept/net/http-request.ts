import http, { type ClientRequest } from "node:http";
import https from "node:https";
import { createRequire } from "node:module";
import { BlockedError } from "../../blocked-error.ts";
import type { Guard } from "../ask.ts";
import type { Patches } from "../patch.ts";
import { type AnyFunction, guardHandle, permittedSync } from "../wrap.ts";
import { dressed } from "./dressed.ts";
import { requestSpec } from "./request-arguments.ts";

const load = createRequire(import.meta.url);
const Request = http.ClientRequest;
const originals = {
  request: { "http:": http.request as AnyFunction, "https:": https.request as AnyFunction },
  get: { "http:": http.get as AnyFunction, "https:": https.get as AnyFunction },
} as const;

/**
 * `http.request`, `http.get`, `https.*`, and `new http.ClientRequest`: asked about before the request is returned. A refused one is a request
 * that emits `error`, then `close`, and opens no connection. Redirects: Node follows none here, so each is a request of its own.
 */
export const guardRequests = (patches: Patches, guard: Guard): void => {
  for (const [module, scheme] of [
    [http, "http:"],
    [https, "https:"],
  ] as const) {
    for (const key of ["request", "get"] as const) {
      patches.replace(module, key, (original: AnyFunction) => guarded(original, key, scheme, guard));
    }
  }
  let request: AnyFunction | null = null;
  // One class under two names, the second an internal one that a program can load.
  for (const holder of [http, load("node:_http_client") as object]) {
    patches.replace(holder, "ClientRequest", (original: AnyFunction) => {
      request ??= guardHandle(original, requestSpec("http:"), guard, (error) => refusedRequest(error));
      return request;
    });
  }
};

const guarded = (
  original: AnyFunction,
  key: "request" | "get",
  scheme: "http:" | "https:",
  guard: Guard,
): AnyFunction => {
  const spec = requestSpec(scheme);
  return dressed(function (this: unknown, ...args: unknown[]): unknown {
    // A URL that is none throws here as it does in Node.
    if (typeof args[0] === "string") new URL(args[0]);
    let runs: readonly unknown[];
    try {
      runs = permittedSync(spec, args, guard);
    } catch (error) {
      const request = refusedRequest(error);
      if (key === "get") request.end();
      return request;
    }
    const { protocol } = runs[0] as { protocol?: unknown };
    // A rule may send a request to the other scheme.
    const isOther =
      protocol !== scheme && (protocol === "http:" || protocol === "https:") && !hadProtocol(args, protocol);
    return Reflect.apply(isOther ? originals[key][protocol] : original, this, runs);
  }, original);
};

/** The caller's own mismatch stays Node's error. */
const hadProtocol = (args: readonly unknown[], protocol: string): boolean =>
  args.slice(0, 2).some((given) => {
    if (typeof given === "string") return new URL(given).protocol === protocol;
    return typeof given === "object" && given !== null && (given as { protocol?: unknown }).protocol === protocol;
  });

const refusedRequest = (error: unknown): ClientRequest => {
  if (!(error instanceof BlockedError)) throw error;
  const createConnection = (): undefined => undefined;
  const request = new Request({ createConnection } as unknown as URL);
  (request as unknown as { onSocket(socket: null, error: BlockedError): void }).onSocket(null, error);
  return request;
};
