import http2 from "node:http2";
import { Socket } from "node:net";
import { BlockedError } from "../../blocked-error.ts";
import type { Guard } from "../ask.ts";
import type { Patches } from "../patch.ts";
import { type AnyFunction, permittedSync, type Spec } from "../wrap.ts";
import { dressed } from "./dressed.ts";
import { failingConnection } from "./failing-connection.ts";

export const http2Action = "http2.connect";

interface Authority {
  readonly protocol?: unknown;
  readonly hostname?: unknown;
  readonly host?: unknown;
  readonly port?: unknown;
}

/** `{url}`: scheme, host and port. The connection beneath is asked about as `net.connect` or `tls.connect`. */
const spec: Spec = {
  action: http2Action,
  hold: ([authority, ...rest]) => [new URL(urlOf(authority as Authority, rest[0])), ...rest],
  project: ([authority]) => ({ url: (authority as URL).href }),
  apply: ([, ...rest], changed) => [new URL(String(changed.url)), ...rest],
};

const urlOf = (authority: string | Authority, options: unknown): string => {
  if (typeof authority === "string") return authority;
  const { hostname, host, port } = authority;
  const protocol = authority.protocol || (options as Authority | undefined)?.protocol || "https:";
  const name = String(hostname || host || "localhost");
  return `${String(protocol)}//${name}${port ? `:${String(port)}` : ""}`;
};

const connectSocket = Socket.prototype.connect as AnyFunction;

/** It dials nothing, so there is nothing to ask. */
const connectUnasked = (error: BlockedError): Socket => {
  const socket = new Socket();
  Reflect.apply(connectSocket, socket, [failingConnection(error)]);
  return socket;
};

/** A refusal is the session's `error` event, then `close`. */
export const guardHttp2 = (patches: Patches, guard: Guard): void => {
  patches.replace(http2, "connect", (original: AnyFunction) =>
    dressed(function (this: unknown, ...args: unknown[]): unknown {
      const [authority] = args;
      const isOne =
        typeof authority === "string" ? URL.canParse(authority) : typeof authority === "object" && authority;
      // What is no authority throws in Node, and connects to nothing.
      if (!isOne) return Reflect.apply(original, this, args);
      try {
        return Reflect.apply(original, this, permittedSync(spec, args, guard));
      } catch (error) {
        if (!(error instanceof BlockedError)) throw error;
        const socket = connectUnasked(error);
        return Reflect.apply(original, this, ["http://localhost", { createConnection: () => socket }]);
      }
    }, original),
  );
};
