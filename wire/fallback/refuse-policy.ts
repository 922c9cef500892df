import { WireError } from "../errors.ts";
import { fitsBytes } from "../fields.ts";
import { printableNames } from "../printable-name.ts";
import type { JsonObject, JsonValue } from "../value.ts";
import { maxFallbackListed, maxFallbackTextBytes } from "./limits.ts";

/** One line, which quotes nothing. */
export class FallbackPolicyRefused extends WireError {
  override readonly name = "FallbackPolicyRefused";
  /** The place, such as `rules.2.actions.0`; a condition of `where` is named by its number. Empty for the whole. */
  readonly at: string;
  /** What is wrong there. */
  readonly what: string;

  constructor(at: string, what: string) {
    super("bad_request", `fallback policy refused: ${at === "" ? "it" : at} ${what}`);
    this.at = at;
    this.what = what;
  }
}

/** Checks of a policy's parts. */
export const refuse = (at: string, what: string): never => {
  throw new FallbackPolicyRefused(at, what);
};

/** No key beside these. */
export const keysOf = (json: JsonObject, known: readonly string[], at: string): void => {
  const unknown = Object.keys(json).filter((key) => !known.includes(key));
  if (unknown.length > 0) refuse(at, `has unknown key(s): ${printableNames(unknown)}`);
};

export const textAt = (json: JsonValue | undefined, at: string): string => {
  if (typeof json !== "string" || json === "") return refuse(at, "must be a non-empty text");
  return fitsBytes(json, maxFallbackTextBytes) ? json : refuse(at, `must be at most ${maxFallbackTextBytes} bytes`);
};

/** At least one, each parsed by `item`. Frozen. */
export const listOf = <T>(
  json: JsonValue | undefined,
  at: string,
  item: (json: JsonValue, at: string) => T,
): readonly T[] => {
  if (!Array.isArray(json) || json.length === 0 || json.length > maxFallbackListed) {
    return refuse(at, `must be a list of 1 to ${maxFallbackListed}`);
  }
  return Object.freeze((json as readonly JsonValue[]).map((value, index) => item(value, `${at}.${index}`)));
};
