import { admit } from "../../../wire/admission.ts";
import { canonicalJson } from "../../../wire/canonical.ts";
import { WireError } from "../../../wire/errors.ts";
import { isObject } from "../../../wire/fields.ts";
import type { JsonObject } from "../../../wire/value.ts";
import { type Committed, committed } from "../hash.ts";

/**
 * What somebody holds beside a receipt, and asks whether the receipt is of: one call, or one response. A receipt of another call
 * that is shown in its place does not fit.
 */
export interface Context {
  readonly action: string | null;
  /** Undefined where nothing is said of it; null says that nobody was named. */
  readonly principal: string | null | undefined;
  readonly call_id: string | null | undefined;
  readonly surface: string | null | undefined;
  readonly server: string | null | undefined;
  /** What the receipt commits to: its value, to be opened, or the commitment. Null where the context has neither. */
  readonly value: ContextValue | null;
  /** 32 hex digits; null takes the one that is stored beside the receipt. */
  readonly salt: string | null;
}

export type ContextValue =
  | { readonly of: Committed; readonly canonical: string }
  | { readonly of: Committed; readonly commitment: string };

/** The text is no context. `message` is one line, and names no value of it. */
export class NotAContext extends Error {
  override readonly name = "NotAContext";
}

const texts = ["call_id", "principal", "server", "surface"] as const;
const commitmentKeys: Readonly<Record<Committed, string>> = Object.freeze({
  arguments: "args_commitment",
  response: "response_commitment",
  final: "final_commitment",
});
const keys: readonly string[] = ["action", "salt", ...texts, ...committed, ...Object.values(commitmentKeys)];

/** Throws NotAContext. */
export const parseContext = (text: Uint8Array): Context => {
  const json = jsonOf(text);
  const unknown = Object.keys(json).filter((key) => !keys.includes(key));
  if (unknown.length > 0) throw new NotAContext(`it has keys that no context has; it may have ${keys.join(", ")}`);
  const { action = null, salt = null } = json;
  if (action !== null && typeof action !== "string") throw new NotAContext("action is not a string");
  if (salt !== null && !(typeof salt === "string" && /^[0-9a-f]{32}$/.test(salt))) {
    throw new NotAContext("salt is not 32 hex digits");
  }
  const named = {
    principal: textOf(json, "principal"),
    call_id: textOf(json, "call_id"),
    surface: textOf(json, "surface"),
    server: textOf(json, "server"),
  };
  return Object.freeze({ action, ...named, value: committedValue(json), salt });
};

const textOf = (json: JsonObject, name: (typeof texts)[number]): string | null | undefined => {
  const said = json[name];
  if (said === undefined || said === null || typeof said === "string") return said;
  throw new NotAContext(`${name} is not a string or null`);
};

const jsonOf = (text: Uint8Array): JsonObject => {
  try {
    const json = admit(text);
    if (isObject(json)) return json;
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new NotAContext(error.message);
  }
  throw new NotAContext("it is not a JSON object");
};

const committedValue = (json: JsonObject): ContextValue | null => {
  const values: ContextValue[] = [];
  for (const of of committed) {
    const value = json[of];
    const commitment = json[commitmentKeys[of]];
    if (value !== undefined) values.push({ of, canonical: canonicalJson(value) });
    if (commitment === undefined) continue;
    if (typeof commitment !== "string") throw new NotAContext(`${commitmentKeys[of]} is not a string`);
    values.push({ of, commitment });
  }
  if (values.length > 1) throw new NotAContext("it has more than one value that a receipt could commit to");
  return values[0] ?? null;
};
