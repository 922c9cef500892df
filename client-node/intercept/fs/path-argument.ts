import { bytesOf } from "../../bytes-of.ts";
import { isUint8Array, urlToPath } from "./captured.ts";
import { standIn } from "./stand-in.ts";

/**
 * A path argument that reads the same each time: bytes are copied, and a URL, which Node tells by its shape alone, becomes the path
 * that it names. What Node refuses as a path is replaced by something that it refuses in the same words.
 */
export const settledPath = (value: unknown): unknown => {
  if (isUint8Array(value)) return Buffer.from(value);
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return value;
  const url = readOnce(value as UrlShape);
  if (!isUrl(url)) return standIn(value);
  try {
    return urlToPath(url as unknown as URL);
  } catch {
    return url;
  }
};

/** `fs.realpath` and `fs.realpathSync` make text of whatever they get, and throw where they cannot. */
export const settledText = (value: unknown): unknown => {
  if (typeof value === "string" || typeof value === "symbol") return value;
  if (isUint8Array(value)) return Buffer.from(value).toString();
  if (typeof value !== "object" || value === null) return `${value}`;
  const url = readOnce(value as unknown as UrlShape);
  if (isUrl(url)) return settledPath(url);
  try {
    return `${value}`;
  } catch {
    return Object.create(null);
  }
};

/** Can a call with this argument reach a file by name? Descriptors were judged when they were opened, and Node refuses the rest. */
export const isPath = (value: unknown): value is string | Uint8Array =>
  typeof value === "string" ? !value.includes("\0") : isUint8Array(value) && !bytesOf(value).includes(0);

type UrlShape = Readonly<Record<(typeof urlParts)[number], unknown>>;

const urlParts = ["href", "protocol", "auth", "path", "hostname", "pathname"] as const;

const isUrl = (url: UrlShape): boolean =>
  Boolean(url.href && url.protocol && url.auth === undefined && url.path === undefined);

const readOnce = (value: UrlShape): UrlShape => {
  const url: Record<string, unknown> = {};
  for (const part of urlParts) url[part] = value[part];
  return Object.freeze(url) as UrlShape;
};
