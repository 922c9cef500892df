import http from "node:http";
import { ownPromise } from "../../own-promise.ts";
import type { Guard } from "../ask.ts";
import type { Patches } from "../patch.ts";
import { promiseOfProgram } from "../program-realm.ts";
import { refusedArguments } from "../refused-arguments.ts";
import { type AnyFunction, guardHandle, type Spec } from "../wrap.ts";
import { dressed } from "./dressed.ts";
import { fetchArguments, rewrittenFetch } from "./fetch-arguments.ts";
import { fetchAction, JudgedHops } from "./fetch-hops.ts";

/**
 * `fetch`: asks `http.fetch` for the request and for each redirect that it follows; a refusal of either rejects with
 * `BlockedError`. A refused connection rejects as a failed one does: `TypeError: fetch failed`, whose cause is the `BlockedError`.
 */
export const guardFetch = (patches: Patches, guard: Guard): void => {
  patches.replace(globalThis, "fetch", (original: AnyFunction) => {
    const run = async (self: unknown, args: readonly unknown[]): Promise<unknown> => {
      if (args.length === 0) return Reflect.apply(original, self, args);
      const given = refusedArguments(fetchAction, () => fetchArguments(args[0], args[1]));
      const { args: changed } = await ownPromise(guard.ask(fetchAction, given.view));
      const [input, init] =
        changed === null
          ? [given.input, { ...given.init }]
          : refusedArguments(fetchAction, () => rewrittenFetch(given, changed));
      const { url, method = "GET" } = changed ?? given.view;
      const own = init.dispatcher ?? dispatcherOf(given.input);
      const hops = new JudgedHops(guard, own, String(url), String(method));
      init.dispatcher = hops;
      try {
        return await Reflect.apply(original, self, [input, init]);
      } catch (error) {
        throw hops.refusal ?? error;
      }
    };
    function fetch(this: unknown, ...args: unknown[]): Promise<unknown> {
      return promiseOfProgram(run(this, args));
    }
    return dressed(fetch, original);
  });
};

/** The dispatcher that a `Request` was made with. */
const dispatcherOf = (input: unknown): unknown => {
  if (typeof input !== "object" || input === null) return undefined;
  const symbol = Object.getOwnPropertySymbols(input).find(({ description }) => description === "dispatcher");
  return symbol === undefined ? undefined : (Reflect.get(input, symbol) ?? undefined);
};

/** `{url}`. The handshake's connection is asked about like any other. */
const urlSpec = (action: string): Spec => ({
  action,
  hold: ([url, ...rest]) => [String(url), ...rest],
  project: ([url]) => ({ url }),
  apply: ([, ...rest], changed) => [String(changed.url), ...rest],
});

export const socketAction = "websocket.connect";
export const eventsAction = "eventsource.connect";

/** `new WebSocket`, `new EventSource`, where this Node has them: a refusal is thrown, as a bad URL is. */
export const guardGlobalClients = (patches: Patches, guard: Guard): void => {
  let guarded: AnyFunction | null = null;
  // One class under two names.
  for (const holder of [globalThis, http]) {
    patches.replace(holder, "WebSocket", (original: AnyFunction) => {
      guarded ??= guardHandle(original, urlSpec(socketAction), guard);
      return guarded;
    });
  }
  patches.replace(globalThis, "EventSource", (original: AnyFunction) =>
    guardHandle(original, urlSpec(eventsAction), guard),
  );
};
