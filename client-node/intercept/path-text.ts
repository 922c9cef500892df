import { fileURLToPath } from "node:url";
import { bytesOf } from "../bytes-of.ts";

const toPath = fileURLToPath;

/** A path as rules read it: bytes as UTF-8, a `file:` URL as its path, another URL as its text. Anything else stays. */
export const pathText = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(bytesOf(value)).toString();
  if (!isUrlLike(value)) return value;
  try {
    return value.protocol === "file:" ? toPath(value as URL) : value.href;
  } catch {
    // Node refuses this URL as a path: the rule sees what was written.
    return value.href;
  }
};

/** What Node takes for a URL is told by its shape. */
export const isUrlLike = (value: unknown): value is { readonly href: string; readonly protocol: string } =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as URL).href === "string" &&
  typeof (value as URL).protocol === "string";

/** The same path, which nobody else can change. */
export const heldPath = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value);
  return isUrlLike(value) && URL.canParse(value.href) ? new URL(value.href) : value;
};
