import type { WireObject } from "../wire/value.ts";

/** A tool called as `tool("/a/path")` is shown to a policy as `{input: "/a/path"}`: its argument has no name of its own. */
export const isUnnamed = (args: WireObject): boolean =>
  (typeof args.input === "string" || args.input instanceof Uint8Array) &&
  Object.keys(args).every((name) => name === "input" || name === "positional_args");
