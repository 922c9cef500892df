import type { PolicyCall } from "../policy.ts";
import { match, noMatch, type PolicyPart } from "./truth.ts";
import { bytesOf } from "./volume.ts";

/** Of calls whose arguments together are longer. */
export const sizePart = (over_bytes: number): PolicyPart =>
  Object.freeze({
    name: "arguments_over_bytes",
    test: ({ args }: PolicyCall) => (bytesOf(args) > over_bytes ? match : noMatch),
  });
