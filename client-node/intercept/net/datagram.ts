import type { Socket } from "node:dgram";
import { BlockedError } from "../../blocked-error.ts";
import type { Guard } from "../ask.ts";
import { refusedArguments } from "../refused-arguments.ts";
import type { AnyFunction } from "../wrap.ts";
import { dressed } from "./dressed.ts";
import { datagramState, type Refusals } from "./kernel-dial.ts";

export const datagramAction = "dgram.send";
const later = process.nextTick.bind(process) as (step: AnyFunction, ...args: unknown[]) => void;
const connected = 2;

/** Callbacks of sends that were judged already: Node calls `send` once more for what waited for the socket to be bound. */
const judgedCallbacks = new WeakSet<AnyFunction>();

/**
 * `dgram.Socket.prototype.send`: asks `dgram.send {address, port}`, and `net.dial` for the address that the name stands for. A refusal goes to
 * the callback, or is the socket's `error` event.
 */
export const guardDatagramSend = (original: AnyFunction, guard: Guard, refusals: Refusals): AnyFunction => {
  function send(this: Socket, ...args: unknown[]): unknown {
    const at = args.findIndex((value) => typeof value === "function");
    const callback = at < 0 ? null : (args[at] as AnyFunction);
    if (callback !== null && judgedCallbacks.has(callback)) return Reflect.apply(original, this, args);
    if (datagramState(this)?.connectState === connected) return Reflect.apply(original, this, args);

    const given = at < 0 ? args : args.slice(0, at);
    const portAt = given[4] || given[3] ? 3 : 1;
    try {
      permit(this, given, portAt, guard);
    } catch (error) {
      refuse(this, callback, error);
      return undefined;
    }
    const report: AnyFunction = (error: unknown, sent: unknown) => {
      const refusal = refusals.get(this);
      if (error && refusal !== undefined && isRefused(error)) {
        refusals.delete(this);
        if (callback === null) this.emit("error", refusal);
        else callback(refusal);
      } else if (callback !== null) callback(error, sent);
      // Without a callback Node reports a name that is not found, and no send that fails.
      else if (error && (error as NodeJS.ErrnoException).syscall !== "send") this.emit("error", error);
    };
    judgedCallbacks.add(report);
    while (given.length < portAt + 2) given.push(undefined);
    return Reflect.apply(original, this, [...given.slice(0, portAt + 2), report]);
  }
  return dressed(send, original);
};

/** `dgram.Socket.prototype.connect`: the same question; what is sent afterwards goes where it was judged to go. */
export const guardDatagramConnect = (original: AnyFunction, guard: Guard, refusals: Refusals): AnyFunction => {
  function connect(this: Socket, ...args: unknown[]): unknown {
    const at = args.findIndex((value) => typeof value === "function");
    const callback = at < 0 ? null : (args[at] as AnyFunction);
    const given: unknown[] = ["", ...(at < 0 ? args : args.slice(0, at))];
    try {
      permit(this, given, 1, guard);
    } catch (error) {
      refuse(this, callback, error);
      return undefined;
    }
    const [, port, address = ""] = given;
    if (callback === null) return Reflect.apply(original, this, [port, address]);
    const report: AnyFunction = (error: unknown) => {
      const refusal = error && isRefused(error) ? refusals.get(this) : undefined;
      if (refusal !== undefined) callback(refusal);
      else if (error) callback(error);
      else callback();
    };
    return Reflect.apply(original, this, [port, address, report]);
  }
  return dressed(connect, original);
};

const isRefused = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "EACCES";

/** Asks, and writes what a rule changed into the arguments. What Node will refuse is not asked about. */
const permit = (socket: Socket, args: unknown[], portAt: number, guard: Guard): void => {
  const port = args[portAt];
  const address = args[portAt + 1];
  if (typeof port !== "number" && typeof port !== "string") return;
  if (address !== undefined && address !== null && typeof address !== "string") return;
  const isIPv6 = (socket as unknown as { type: string }).type === "udp6";
  const to = address || (isIPv6 ? "::1" : "127.0.0.1");
  const { args: changed } = guard.askSync(datagramAction, { address: to, port: Number(port) });
  if (changed === null) return;
  refusedArguments(datagramAction, () => {
    if (typeof changed.address !== "string" || !Number.isInteger(changed.port)) throw new TypeError("no destination");
    args[portAt] = changed.port;
    args[portAt + 1] = changed.address;
  });
};

const refuse = (socket: Socket, callback: AnyFunction | null, error: unknown): void => {
  if (!(error instanceof BlockedError)) throw error;
  if (callback === null) later(() => socket.emit("error", error));
  else later(callback, error);
};
