import { Socket as DatagramSocket } from "node:dgram";
import { Server, Socket } from "node:net";
import type { Guard } from "../ask.ts";
import type { GroupOptions } from "../group.ts";
import type { Patches } from "../patch.ts";
import type { AnyFunction } from "../wrap.ts";
import { guardDatagramConnect, guardDatagramSend } from "./datagram.ts";
import { DialPermits } from "./dial-permits.ts";
import { guardFetch, guardGlobalClients } from "./fetch.ts";
import { guardRequests } from "./http-request.ts";
import { guardHttp2 } from "./http2-connect.ts";
import { guardKernelDials, type Refusals, socketHandles } from "./kernel-dial.ts";
import { guardListening } from "./listen.ts";
import { guardNames } from "./names.ts";
import { guardSocketConnect } from "./socket-connect.ts";

/**
 * The network. A request asks by its url; the connection beneath it by host and port; each address by `net.dial`, at the socket and
 * once more where it goes to the kernel.
 *
 *     fetch, http.request, http2.connect     http.fetch, http.request, http2.connect
 *       -> net.Socket.prototype.connect      net.connect | tls.connect
 *         -> the resolver's answer           net.dial, for each address
 *           -> the kernel's connect          only what was judged
 */
export const install = (patches: Patches, guard: Guard, { http, net, socketPath }: GroupOptions): void => {
  if (http) {
    guardFetch(patches, guard);
    guardGlobalClients(patches, guard);
    guardRequests(patches, guard);
    guardHttp2(patches, guard);
  }
  if (net) {
    const permits = new DialPermits();
    const refusals: Refusals = new WeakMap();
    const handles = socketHandles();
    guardKernelDials(patches, handles, guard, permits, refusals, socketPath);
    patches.replace(Socket.prototype, "connect", (original: AnyFunction) =>
      guardSocketConnect(original, guard, permits, socketPath),
    );
    patches.replace(DatagramSocket.prototype, "send", (original: AnyFunction) =>
      guardDatagramSend(original, guard, refusals),
    );
    patches.replace(DatagramSocket.prototype, "connect", (original: AnyFunction) =>
      guardDatagramConnect(original, guard, refusals),
    );
    guardListening(patches, handles, guard, Server.prototype);
    guardNames(patches, guard);
  }
};
