import { createHash } from "node:crypto";
import { newCallId } from "../../../client-node/call-id.ts";
import { enforceToolResult } from "../../../client-node/enforce-result.ts";
import type { EnforceOptions } from "../../../client-node/guard-options.ts";
import type { JsonObject, JsonValue } from "../../../wire/value.ts";
import { maxWholeBytes, overlapChars, windowChars } from "../relay/limits.ts";
import { refuse } from "../relay/refusal.ts";

/**
 * A result as the guard lets it through. `bytes`: how long it is as text, at most.
 *
 * A result that does not fit a frame is judged in pieces: each long text in windows that overlap, so that what a rule looks for is
 * whole in one of them; each long base64 text (an image, a recording, a file) by its length and digest alone; then the rest, with a note in the place
 * of each. It is delivered as it came or not at all, since no piece can be changed by itself, and the notes are what a replay gives.
 *
 * @throws BlockedError
 */
export const judgedResult = async <T extends JsonValue>(
  action: string,
  result: T,
  bytes: number,
  enforce: EnforceOptions,
): Promise<T> => {
  if (bytes <= maxWholeBytes) return enforceToolResult(action, result, enforce);
  const long: string[] = [];
  const noted = withNotes(result, long);
  for (const text of long) await judgeText(action, text, enforce);
  if (Buffer.byteLength(JSON.stringify(noted)) > maxWholeBytes) {
    throw refuse(action, "result_too_large", "the result is longer than can be judged");
  }
  await judgeUnchanged(action, noted, enforce);
  return result;
};

const judgeText = async (action: string, text: string, enforce: EnforceOptions): Promise<void> => {
  for (let start = 0; ; start += windowChars - overlapChars) {
    const window = text.slice(start, start + windowChars).toWellFormed();
    // Each window is an event of its own: the call's is closed by what is judged last.
    await judgeUnchanged(action, { content: [{ type: "text", text: window }] }, { ...enforce, callId: newCallId() });
    if (start + windowChars >= text.length) return;
  }
};

const judgeUnchanged = async (action: string, view: JsonValue, enforce: EnforceOptions): Promise<void> => {
  const judged = await enforceToolResult(action, view, enforce);
  if (judged !== view) {
    throw refuse(action, "result_too_large", "a rule would change the result, which is too long to be changed");
  }
};

/** Texts from here on are taken out of a result that is too long. */
const longChars = 16 * 1024;

/** A copy with a note for each long text; of those the ones that are read go to `long`. */
const withNotes = (value: JsonValue, long: string[]): JsonValue => {
  if (typeof value === "string") {
    if (value.length < longChars) return value;
    if (!isBase64(value)) long.push(value);
    return note(value);
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => withNotes(item, long));
  const entries = Object.entries(value as JsonObject);
  return Object.fromEntries(entries.map(([key, item]) => [key, withNotes(item, long)]));
};

const note = (text: string): string =>
  `[${Buffer.byteLength(text)} bytes, sha256:${createHash("sha256").update(text).digest("hex")}]`;

/** Nothing that is read: letters and digits without a blank, as no text of this length is. */
const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/_-]+={0,2}$/.test(text);
