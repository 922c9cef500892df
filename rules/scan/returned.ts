import type { WireObject, WireValue } from "../../wire/value.ts";

/** What a tool returned, of the arguments of a result event: a result that is no object stands in them as `result`. */
export const returned = (args: WireObject): WireValue => {
  const { result } = args;
  const isObject =
    typeof result === "object" && result !== null && !Array.isArray(result) && !(result instanceof Uint8Array);
  return Object.keys(args).length === 1 && result !== undefined && !isObject ? result : args;
};
