import type { JsonValue } from "../../wire/value.ts";
import { ExitCode, Refusal } from "../exit-codes.ts";

/** What a file is read as. `listing`: what an MCP server answered to `tools/list`. */
export type MaterialKind = "text" | "json" | "listing";

/** A file, parsed, and what is scanned of it. */
export interface Material {
  readonly kind: MaterialKind;
  readonly value: JsonValue;
  /** As it was read, to find lines in. */
  readonly source: string;
}

/** @param as what it is; null: JSON where it begins and parses like it, else text. Throws Refusal where it is not what it was said to be. */
export const materialOf = (source: string, as: MaterialKind | null): Material => {
  if (as === "text") return { kind: "text", value: source, source };
  const parsed = /^[\s\uFEFF]*[[{]/.test(source) ? parse(source) : undefined;
  if (parsed === undefined) {
    if (as === null) return { kind: "text", value: source, source };
    throw new Refusal(ExitCode.refused, `it is not ${as === "json" ? "JSON" : "a saved MCP listing: no JSON"}`);
  }
  const listing = listingIn(parsed);
  if (listing !== null && as !== "json") return { kind: "listing", value: listing, source };
  if (as === "listing") throw new Refusal(ExitCode.refused, "it is not a saved MCP listing: it has no list of tools");
  return { kind: "json", value: parsed, source };
};

const parse = (source: string): JsonValue | undefined => {
  try {
    return JSON.parse(source.replace(/^\uFEFF/, "")) as JsonValue;
  } catch {
    return undefined;
  }
};

/** `{tools: [...]}`, the same inside of a JSON-RPC response, or the list alone. The value stays whole, so that places are those of the file. */
const listingIn = (value: JsonValue): JsonValue | null => {
  const tools = Array.isArray(value) ? value : (member(value, "tools") ?? member(member(value, "result"), "tools"));
  return Array.isArray(tools) && tools.length > 0 && tools.every(isTool) ? value : null;
};

const member = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? (value as { readonly [name: string]: JsonValue })[name]
    : undefined;

const isTool = (value: JsonValue): boolean =>
  typeof member(value, "name") === "string" &&
  (member(value, "inputSchema") !== undefined || member(value, "description") !== undefined);
