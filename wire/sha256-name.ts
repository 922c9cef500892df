import type { JsonValue } from "./value.ts";

/** `sha256:` and 64 lower-case hex digits. */
export const isSha256 = (json: JsonValue | undefined): json is string =>
  typeof json === "string" && /^sha256:[0-9a-f]{64}$/.test(json);
