import { createSocket, type Socket as DatagramSocket } from "node:dgram";
import { type IpcNetConnectOpts, Socket, type TcpNetConnectOpts } from "node:net";
import { constants } from "node:os";
import { BlockedError } from "../../blocked-error.ts";
import type { Guard } from "../ask.ts";
import type { Patches } from "../patch.ts";
import type { AnyFunction } from "../wrap.ts";
import { type Dial, dialSync } from "./dial.ts";
import type { DialPermits } from "./dial-permits.ts";
import { dressed } from "./dressed.ts";
import { isOwnConnection } from "./own-connection.ts";
import { pathView } from "./path-view.ts";

/** What libuv answers for a dial that may not be. */
export const refused = -constants.errno.EACCES;

/** What became of a datagram's refusal: Node reports only a number. */
export type Refusals = WeakMap<object, BlockedError>;

/**
 * The last step before the kernel: an address that was not judged for its socket is judged here, at the value that is dialed.
 * What comes this way has gone around `net.Socket.prototype.connect`; a refusal is EACCES.
 */
export const guardKernelDials = (
  patches: Patches,
  { tcp, pipe, udp }: Handles,
  guard: Guard,
  permits: DialPermits,
  refusals: Refusals,
  ownPath: string | null,
): void => {
  for (const key of ["connect", "connect6"]) {
    patches.replace(tcp, key, (original: AnyFunction) =>
      dressed(function (this: object, request: unknown, to: unknown, port: unknown, ...rest: unknown[]): unknown {
        const address = permitted(this, to, port, "tcp");
        return address === null ? refused : Reflect.apply(original, this, [request, address, port, ...rest]);
      }, original),
    );
  }
  for (const key of ["connect", "connect6"]) {
    patches.replace(udp, key, (original: AnyFunction) =>
      dressed(function (this: object, to: unknown, port: unknown, ...rest: unknown[]): unknown {
        const address = permitted(this, to, port, "udp");
        return address === null ? refused : Reflect.apply(original, this, [address, port, ...rest]);
      }, original),
    );
  }
  for (const key of ["send", "send6"]) {
    patches.replace(udp, key, (original: AnyFunction) =>
      dressed(function (this: object, ...args: unknown[]): unknown {
        // A connected socket sends (request, list, count, hasCallback): its address was judged when it connected.
        if (args.length < 6) return Reflect.apply(original, this, args);
        const [request, list, count, port, to, ...rest] = args;
        const address = permitted(this, to, port, "udp");
        return address === null
          ? refused
          : Reflect.apply(original, this, [request, list, count, port, address, ...rest]);
      }, original),
    );
  }

  patches.replace(pipe, "connect", (original: AnyFunction) =>
    dressed(function (this: object, request: unknown, to: unknown, ...rest: unknown[]): unknown {
      const path = String(to);
      return permittedPath(this, path) ? Reflect.apply(original, this, [request, path, ...rest]) : refused;
    }, original),
  );

  const permittedPath = (handle: object, path: string): boolean => {
    if (isOwnConnection(path, ownPath) || permits.has(ownerOf(handle), path)) return true;
    try {
      // What was rewritten is not what would be dialed.
      return guard.askSync("net.connect", pathView(path)).args === null;
    } catch {
      return false;
    }
  };

  const permitted = (handle: object, to: unknown, port: unknown, protocol: Dial["protocol"]): string | null => {
    const address = String(to);
    const owner = ownerOf(handle);
    if (permits.has(owner, address, port)) return address;
    try {
      return dialSync(guard, { host: address, address, port: Number(port), protocol });
    } catch (error) {
      if (error instanceof BlockedError && owner !== null) refusals.set(owner, error);
      return null;
    }
  };
};

/** The classes beneath sockets: no module exports them, and each socket holds one. */
export interface Handles {
  readonly tcp: object;
  readonly pipe: object;
  readonly udp: object;
}

/** Found by sockets that dial nothing, before anything is patched. */
export const socketHandles = (): Handles => ({ tcp: tcpPrototype(), pipe: pipePrototype(), udp: udpPrototype() });

const symbolOf = (object: object, description: string): symbol | undefined =>
  Object.getOwnPropertySymbols(object).find((symbol) => symbol.description === description);

/** The socket that a handle belongs to. */
export const ownerOf = (handle: object): object | null => {
  const symbol = symbolOf(handle, "owner_symbol");
  return symbol === undefined ? null : (Reflect.get(handle, symbol) as object | null);
};

/** A socket that is let go of in the turn in which it was told to connect has a handle, and dials nothing. */
const tcpPrototype = (): object => prototypeOfHandle({ host: "127.0.0.1", port: 1 });

/** A path beneath a device leads nowhere. */
const pipePrototype = (): object => prototypeOfHandle({ path: "/dev/null/none" });

const prototypeOfHandle = (to: TcpNetConnectOpts | IpcNetConnectOpts): object => {
  const socket = new Socket();
  socket.on("error", () => {});
  socket.connect(to);
  const handle = (socket as unknown as { _handle: object })._handle;
  socket.destroy();
  return Object.getPrototypeOf(handle) as object;
};

const udpPrototype = (): object => {
  const socket = createSocket("udp4");
  const { handle } = datagramState(socket) ?? {};
  socket.close();
  if (handle === undefined) throw new TypeError("this Node keeps its datagram handles elsewhere");
  return Object.getPrototypeOf(handle) as object;
};

interface DatagramState {
  readonly handle: object;
  /** 0 none, 1 connecting, 2 connected. */
  readonly connectState: number;
}

export const datagramState = (socket: DatagramSocket): DatagramState | undefined => {
  const symbol = symbolOf(socket, "state symbol");
  return symbol === undefined ? undefined : (Reflect.get(socket, symbol) as DatagramState);
};
