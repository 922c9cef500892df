import net, { type Server } from "node:net";
import { blocked } from "../../ask.ts";
import { BlockedError } from "../../blocked-error.ts";
import type { Guard } from "../ask.ts";
import { requireFile } from "../files/required-file.ts";
import type { Patches } from "../patch.ts";
import { refuseInside } from "../refuse-inside.ts";
import { refusedArguments } from "../refused-arguments.ts";
import type { AnyFunction } from "../wrap.ts";
import { dressed } from "./dressed.ts";
import { type Handles, ownerOf, refused } from "./kernel-dial.ts";

const action = "net.listen";
const datagramAction = "dgram.bind";
const later = process.nextTick.bind(process) as (step: () => void) => void;

/**
 * `net.Server.prototype.listen`, which servers of `http`, `https`, `http2` and `tls` are too, asks `net.listen {port, host?}`, or
 * `{path, resolved_path?}` for a socket in the file system. A refusal is the server's `error` event. Beneath it the handle
 * asks for what came another way (a descriptor, a handle of the program's); there a refusal is EACCES, and so it is for `dgram.bind
 * {address, port}`. A port that the system picks for datagrams is not asked for: each send binds to one.
 */
export const guardListening = (patches: Patches, { tcp, pipe, udp }: Handles, guard: Guard, server: object): void => {
  const judged = new WeakSet<object>();
  let judgedPath: string | null = null;

  patches.replace(server, "listen", (original: AnyFunction) => {
    function listen(this: Server, ...args: unknown[]): unknown {
      const { runs, place } = refusedArguments(action, () => heldListen(args));
      if (place === null) return Reflect.apply(original, this, runs);
      try {
        requirePlace(guard, place);
      } catch (error) {
        if (!(error instanceof BlockedError)) throw error;
        later(() => this.emit("error", error));
        return this;
      }
      judged.add(this);
      judgedPath = place.path ?? null;
      try {
        return Reflect.apply(original, this, runs);
      } finally {
        judgedPath = null;
      }
    }
    return dressed(listen, original);
  });

  patches.replace(pipe, "bind", (original: AnyFunction) =>
    dressed(function (this: object, name: unknown, ...rest: unknown[]): unknown {
      const path = String(name);
      const isJudged = path === judgedPath;
      judgedPath = null;
      if (!isJudged && !isAllowed(() => requirePlace(guard, { path }))) return refused;
      judged.add(this);
      return Reflect.apply(original, this, [path, ...rest]);
    }, original),
  );
  for (const handles of [tcp, pipe]) {
    patches.replace(handles, "listen", (original: AnyFunction) =>
      dressed(function (this: object, ...args: unknown[]): unknown {
        const isJudged = judged.has(this) || judged.has(ownerOf(this) ?? this);
        return isJudged || isAllowed(() => requireAddress(guard, this)) ? Reflect.apply(original, this, args) : refused;
      }, original),
    );
  }
  for (const key of ["bind", "bind6"]) {
    patches.replace(udp, key, (original: AnyFunction) =>
      dressed(function (this: object, address: unknown, port: unknown, ...rest: unknown[]): unknown {
        const to = { address: String(address), port: Number(port) };
        const isPassed = to.port === 0 || isAllowed(() => requireUnchanged(guard, datagramAction, to));
        return isPassed ? Reflect.apply(original, this, [to.address, to.port, ...rest]) : refused;
      }, original),
    );
  }
};

interface Place {
  readonly path?: string;
  readonly port?: number;
  readonly host?: string;
}

const requirePlace = (guard: Guard, { path, port = 0, host }: Place): void => {
  if (path === undefined) requireUnchanged(guard, action, { port, ...(host === undefined ? {} : { host }) });
  // An abstract name of Linux is in no folder.
  else if (path.startsWith("\0")) requireUnchanged(guard, action, { path });
  else requireFile(guard, action, path);
};

const requireUnchanged = (guard: Guard, asked: string, view: Readonly<Record<string, unknown>>): void => {
  refuseInside(asked);
  if (guard.askSync(asked, view).args !== null) throw blocked(asked, "a rewrite of it is not supported");
};

/** Where a handle would listen; one of a path has no address, and is named by its descriptor. */
const requireAddress = (guard: Guard, handle: object): void => {
  const { getsockname, fd } = handle as { readonly getsockname?: AnyFunction; readonly fd?: unknown };
  const found: { address?: unknown; port?: unknown } = {};
  if (getsockname !== undefined) Reflect.apply(getsockname, handle, [found]);
  const { address, port } = found;
  requireUnchanged(guard, action, address === undefined ? { fd: Number(fd) } : { host: address, port });
};

const isAllowed = (ask: () => void): boolean => {
  try {
    ask();
    return true;
  } catch {
    return false;
  }
};

/** A handle, or an object that holds one, is listened on as it is; so is Node 24's `net.BoundSocket`. */
const isHandle = (value: object): boolean =>
  "_handle" in value || "handle" in value || "getAsyncId" in value || value instanceof Bound;

const { BoundSocket: Bound = class {} } = net as { readonly BoundSocket?: new () => object };

/**
 * The arguments that run, read once as Node reads them, and frozen: subscribers of its channel `net.server.listen` are handed them. `place`
 * is null for a handle or a descriptor, which is judged beneath, and for what Node refuses.
 */
const heldListen = (args: readonly unknown[]): { readonly runs: readonly unknown[]; readonly place: Place | null } => {
  const [first, second] = args;
  if (typeof first === "object" && first !== null && isHandle(first)) return { runs: args, place: null };
  const held: Record<string, unknown> = {};
  if (typeof first === "object" && first !== null) {
    for (const key in first) held[key] = (first as Record<string, unknown>)[key];
    if ("port" in held && (held.port ?? null) === null) held.port = 0;
  } else if (first === undefined || first === null || typeof first === "function") held.port = 0;
  else if (typeof first === "string" && !isPort(first)) held.path = first;
  else Object.assign(held, { port: first }, typeof second === "string" ? { host: second } : {});
  const rest = typeof first === "function" ? args : args.slice(1);
  return { runs: [Object.freeze(held), ...rest], place: placeOf(held) };
};

const placeOf = ({ path, port, host, fd }: Readonly<Record<string, unknown>>): Place | null => {
  if (typeof fd === "number" && fd >= 0) return null;
  if (isPort(port)) return { port: Number(port), ...(typeof host === "string" && host !== "" ? { host } : {}) };
  return port === undefined && typeof path === "string" && path !== "" ? { path } : null;
};

/** Text that is a number is one; other text is a path. */
const isPort = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && Number(value) >= 0);
