import type { LookupFunction } from "node:net";
import type { BlockedError } from "../../blocked-error.ts";
import type { AnyFunction } from "../wrap.ts";

const later = process.nextTick.bind(process) as (step: AnyFunction, ...args: unknown[]) => void;

/** Options of a connection whose name cannot be resolved, for the reason of a refusal: Node does the rest as for any other. */
export const failingConnection = (error: BlockedError): { host: string; port: number; lookup: LookupFunction } => ({
  host: "blocked.invalid",
  port: 1,
  lookup: (_host, _options, callback) => later(callback, error),
});
