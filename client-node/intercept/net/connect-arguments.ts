import type { AnyFunction } from "../wrap.ts";

export interface ConnectArguments {
  /** A copy of the caller's, read once: a getter cannot answer the guard one thing and Node another. */
  readonly options: Record<PropertyKey, unknown>;
  readonly callback: AnyFunction | null;
}

/** The options that decide where a socket connects to, read even where they are inherited or not enumerable. */
const read = ["host", "port", "path", "lookup", "family", "hints", "localAddress", "localPort"] as const;

/** Reads the arguments of `socket.connect` as Node does: `(options)`, `(port, host)`, `(path)`, or its own normalized pair. */
export const connectArguments = (args: readonly unknown[]): ConnectArguments => {
  const [first] = args;
  if (Array.isArray(first) && isNormalized(first)) {
    return { options: copied(first[0] as object), callback: typeof first[1] === "function" ? first[1] : null };
  }
  const last = args.at(-1);
  const callback = typeof last === "function" ? (last as AnyFunction) : null;
  if (typeof first === "object" && first !== null) return { options: copied(first), callback };
  if (args.length === 0) return { options: {}, callback };
  if (isPipeName(first)) return { options: { path: first }, callback };
  const host = args[1];
  return { options: typeof host === "string" ? { port: first, host } : { port: first }, callback };
};

const isNormalized = (pair: object): boolean =>
  Object.getOwnPropertySymbols(pair).some(({ description }) => description === "normalizedArgs");

/** Text that is no number is a path. */
const isPipeName = (value: unknown): value is string => typeof value === "string" && !(Number(value) >= 0);

const copied = (options: object): Record<PropertyKey, unknown> => {
  const copy: Record<PropertyKey, unknown> = {};
  for (const key in options) copy[key] = Reflect.get(options, key);
  for (const key of Object.getOwnPropertySymbols(options)) copy[key] = Reflect.get(options, key);
  for (const key of read) {
    if (Object.hasOwn(copy, key)) continue;
    const value: unknown = Reflect.get(options, key);
    if (value !== undefined) copy[key] = value;
  }
  return copy;
};
