import type { WireObject } from "../../wire/value.ts";
import { Blanks } from "./bytes.ts";

/** The corpus writes bytes as `{"kind":"bytes","hex":"0001ff"}`. These two go between that and what a client handles. */

const isNotation = (value: object): value is { readonly kind: "bytes"; readonly hex: string } => {
  const { kind, hex } = value as { readonly kind?: unknown; readonly hex?: unknown };
  return kind === "bytes" && typeof hex === "string" && Object.keys(value).length === 2;
};

/** Corpus to client. A key named `__proto__` stays an own key; blanks in texts are filled in. */
const revived = (value: unknown, blanks: Blanks): unknown => {
  if (typeof value === "string") return blanks.fill(value);
  if (Array.isArray(value)) return value.map((item) => revived(item, blanks));
  if (typeof value !== "object" || value === null) return value;
  if (isNotation(value)) return new Uint8Array(Buffer.from(value.hex, "hex"));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, revived(member, blanks)]));
};

export const revivedArgs = (args: object): WireObject => revived(args, new Blanks()) as WireObject;

/** Client to corpus. */
export const noted = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return { kind: "bytes", hex: Buffer.from(value).toString("hex") };
  if (Array.isArray(value)) return value.map(noted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, noted(member)]));
};
