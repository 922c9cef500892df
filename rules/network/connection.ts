import ipaddr from "ipaddr.js";
import type { WireObject } from "../../wire/value.ts";
import { destinationOf, noAddress } from "./destination.ts";
import type { Stated } from "./stated.ts";

/**
 * Node's own connections as the guard of a process shows them: host and port apart, `net.dial` with the address beside the host that
 * led to it, or a socket by its path. Where the path leads counts, not how it is written.
 */
export const connectionIn = (args: WireObject): readonly Stated[] => {
  const { host, address, port, url } = args;
  const found: Stated[] = [];
  const socket = args.resolved_path ?? args.path ?? args.socketPath ?? null;
  if (socket !== null) found.push(ofSocket(socket));
  if (url !== undefined && url !== null) found.push(ofText("url", url));
  for (const [place, value] of [
    ["host", host],
    ["address", address],
  ] as const)
    if (value !== undefined && value !== null)
      found.push(ofText(place, typeof value === "string" ? withPort(value, port) : value));
  return found;
};

const ofSocket = (path: unknown): Stated =>
  typeof path === "string"
    ? { place: "path", text: path, how: "dialled", destination: { kind: "socket", path } }
    : { place: "path", text: "", how: "dialled", destination: { kind: "socket", path: "" } };

const ofText = (place: string, value: unknown): Stated =>
  typeof value === "string"
    ? { place, text: value, how: "dialled", destination: destinationOf(value) }
    : { place, text: "", how: "dialled", destination: noAddress };

/** An IPv6 address stands in brackets in a URL, and without them in a connection. */
const withPort = (host: string, port: unknown): string => {
  const named = ipaddr.IPv6.isValid(host) ? `[${host.split("%", 1)[0]}]` : host;
  return typeof port === "number" && Number.isInteger(port) && port >= 0 && port < 65_536 && !/[:/]$/.test(named)
    ? `${named}:${port}`
    : named;
};
