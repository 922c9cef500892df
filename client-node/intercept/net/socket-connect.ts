import dns from "node:dns";
import { isIP, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { BlockedError } from "../../blocked-error.ts";
import { ownPromise } from "../../own-promise.ts";
import type { Guard } from "../ask.ts";
import { refusedArguments } from "../refused-arguments.ts";
import { type AnyFunction, isGuarded } from "../wrap.ts";
import { type ConnectArguments, connectArguments } from "./connect-arguments.ts";
import { dialLater, dialSync } from "./dial.ts";
import type { DialPermits } from "./dial-permits.ts";
import { dressed } from "./dressed.ts";
import { failingConnection } from "./failing-connection.ts";
import { judgedLookup } from "./judged-lookup.ts";
import { isOwnConnection } from "./own-connection.ts";
import { pathView } from "./path-view.ts";

type Options = ConnectArguments["options"];

const resolveName = dns.lookup as AnyFunction;

/**
 * `net.Socket.prototype.connect`, through which every connection of this thread goes: `net.connect`, `tls.connect`, agents, `http2`,
 * `fetch`. Asks `net.connect` (`tls.connect` for a TLS socket) with `{host, port}` or `{path}`, then `net.dial` for each address. A
 * refusal is the socket's `error` event, then `close`, as for a connection that fails.
 */
export const guardSocketConnect = (
  original: AnyFunction,
  guard: Guard,
  permits: DialPermits,
  ownPath: string | null,
): AnyFunction => {
  function connect(this: Socket, ...args: unknown[]): unknown {
    const { options, callback } = connectArguments(args);
    if (hasDestination(options) && !isOwnConnection(options.path, ownPath)) {
      try {
        judge(this, options, guard, permits);
      } catch (error) {
        if (!(error instanceof BlockedError)) throw error;
        return Reflect.apply(original, this, [failingConnection(error)]);
      }
    }
    return Reflect.apply(original, this, callback === null ? [options] : [options, callback]);
  }
  return dressed(connect, original);
};

/** Without one Node throws, and says what is missing. */
const hasDestination = ({ path, port }: Options): boolean =>
  path ? typeof path === "string" : typeof port === "number" || typeof port === "string";

const judge = (socket: Socket, options: Options, guard: Guard, permits: DialPermits): void => {
  permits.clear(socket);
  const action = socket instanceof TLSSocket ? "tls.connect" : "net.connect";
  const view = viewOf(options);
  const { args } = guard.askSync(action, view);
  if (args !== null) refusedArguments(action, () => rewrite(options, view, args));
  if (options.path) {
    permits.allow(socket, String(options.path));
    return;
  }

  const port = Number(options.port) | 0;
  const host = hostOf(options);
  if (isIP(host) !== 0) {
    const address = dialSync(guard, { host, address: host, port, protocol: "tcp" });
    options.host = address;
    permits.allow(socket, address, port);
    return;
  }
  const own = options.lookup ?? currentLookup();
  // Anything else than a function is refused by Node.
  if (typeof own !== "function") return;
  options.lookup = judgedLookup(own as AnyFunction, async (name, found) => {
    const address = await ownPromise(dialLater(guard, { host: name, address: found, port, protocol: "tcp" }));
    permits.allow(socket, address, port);
    return address;
  });
};

const hostOf = ({ host }: Options): string => (host ? String(host) : "localhost");

type View = Readonly<Record<string, unknown>>;

const viewOf = (options: Options): View => {
  if (options.path) return pathView(String(options.path));
  const { port, servername } = options;
  const view: Record<string, unknown> = {
    host: hostOf(options),
    port: Number.isNaN(Number(port)) ? port : Number(port),
  };
  if (typeof servername === "string" && servername !== "") view.servername = servername;
  return view;
};

const rewrite = (options: Options, view: View, { host, port, path, resolved_path }: View): void => {
  if (resolved_path !== view.resolved_path && path === view.path)
    throw new TypeError("a rewrite of where a path leads");
  if (typeof path === "string" && path !== "") {
    options.path = path;
    return;
  }
  if (typeof host !== "string" || host === "" || !Number.isInteger(port)) throw new TypeError("no destination");
  options.path = undefined;
  options.host = host;
  options.port = port;
};

/** What the program put in the place of `dns.lookup`; never the guarded one, which would ask for the name once more. */
const currentLookup = (): AnyFunction => (isGuarded(dns.lookup) ? resolveName : (dns.lookup as AnyFunction));
