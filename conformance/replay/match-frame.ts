import { isDeepStrictEqual } from "node:util";
import { Verdict } from "../../wire/verdict.ts";
import type { AnswerExpectation, FrameExpectation } from "../corpus/format.ts";
import { shown } from "./raw-connection.ts";

type Json = { readonly [key: string]: unknown };

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What is wrong with a frame, in words; null where it is as expected. `saved` holds the frames kept in this entry. */
export const mismatch = (line: Buffer, expected: FrameExpectation, saved: Map<string, string>): string | null => {
  const text = line.toString("utf8");
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    return `not JSON: ${shown(line)}`;
  }
  const wrong = isObject(frame) ? contentMismatch(frame, text, expected) : "not an object";
  if (wrong !== null) return `${wrong}; got ${shown(line)}`;
  for (const never of expected.never_contains ?? []) {
    if (text.includes(never)) return `holds ${JSON.stringify(never)}, which may stand in no answer; got ${shown(line)}`;
  }
  if (expected.same_as !== undefined && saved.get(expected.same_as) !== text) {
    return `differs from the frame saved as ${expected.same_as}: ${saved.get(expected.same_as)}; got ${shown(line)}`;
  }
  if (expected.differs_from !== undefined) {
    const other = saved.get(expected.differs_from);
    if (other === undefined || withoutId(other) === withoutId(text)) {
      return `is the frame saved as ${expected.differs_from}; got ${shown(line)}`;
    }
  }
  if (expected.save !== undefined) saved.set(expected.save, text);
  return null;
};

const withoutId = (text: string): string => {
  const { id: _, ...rest } = JSON.parse(text) as Json;
  return JSON.stringify(rest);
};

const contentMismatch = (frame: Json, text: string, expected: FrameExpectation): string | null => {
  if ("any" in expected) return null;
  if ("text" in expected) return text === expected.text ? null : `not these bytes: ${expected.text}`;
  if ("like" in expected) return subsetMismatch(frame, expected.like, "");
  if ("error" in expected) return errorMismatch(frame, expected);
  return answerMismatch(frame, expected.answer);
};

const errorMismatch = (frame: Json, expected: { readonly error: string; readonly id?: string }): string | null => {
  if (Object.keys(frame).sort().join() !== "error,id,v") return `not an error frame (keys error, id, v)`;
  const { error, id, v } = frame;
  if (v !== 1) return "v is not 1";
  if (!isObject(error) || Object.keys(error).sort().join() !== "code,message")
    return "error has not exactly code and message";
  if (typeof error.message !== "string") return "error.message is not text";
  if (error.code !== expected.error) return `error code is not ${expected.error}`;
  if (typeof id !== "string") return "id is not text";
  return expected.id === undefined || id === expected.id ? null : `id is not ${JSON.stringify(expected.id)}`;
};

const eightKeys = ["attributed_to", "id", "modified_args", "modified_result", "policy_id", "reason", "v", "verdict"];

const answerMismatch = (frame: Json, expected: AnswerExpectation["answer"]): string | null => {
  const keys = expected.details === undefined ? eightKeys : [...eightKeys, "details"];
  const got = Object.keys(frame).sort();
  if (got.join() !== [...keys].sort().join()) return `keys are ${got.join(", ")}`;
  if (frame.v !== 1) return "v is not 1";
  if (frame.id !== expected.id) return `id is not ${JSON.stringify(expected.id)}`;
  if (frame.verdict !== Verdict[expected.verdict]) return `verdict is not ${expected.verdict}`;
  const reason = reasonMismatch(frame.reason, expected);
  if (reason !== null) return reason;
  for (const key of ["policy_id", "attributed_to"] as const) {
    if (frame[key] !== (expected[key] ?? null)) return `${key} is not ${JSON.stringify(expected[key] ?? null)}`;
  }
  if (expected.modified_args_include !== undefined) {
    if (!isObject(frame.modified_args)) return "modified_args is no object";
    for (const [key, value] of Object.entries(expected.modified_args_include)) {
      if (!isDeepStrictEqual(frame.modified_args[key], value))
        return `modified_args.${key} is not ${JSON.stringify(value)}`;
    }
  } else if (!isDeepStrictEqual(frame.modified_args, expected.modified_args ?? null)) {
    return `modified_args is not ${JSON.stringify(expected.modified_args ?? null)}`;
  }
  if (!isDeepStrictEqual(frame.modified_result, expected.modified_result ?? null)) {
    return `modified_result is not ${JSON.stringify(expected.modified_result ?? null)}`;
  }
  return expected.details === undefined ? null : subsetMismatch(frame.details, expected.details, "details");
};

const reasonMismatch = (reason: unknown, expected: AnswerExpectation["answer"]): string | null => {
  if (typeof reason !== "string") return "reason is not text";
  if (expected.reason_max_bytes !== undefined && Buffer.byteLength(reason) > expected.reason_max_bytes) {
    return `reason has ${Buffer.byteLength(reason)} bytes`;
  }
  if (expected.reason_contains === undefined) {
    return reason === (expected.reason ?? "") ? null : `reason is not ${JSON.stringify(expected.reason ?? "")}`;
  }
  const missing = expected.reason_contains.find((part) => !reason.includes(part));
  return missing === undefined ? null : `reason does not hold ${JSON.stringify(missing)}`;
};

/** Objects by the keys that are listed, everything else whole. */
const subsetMismatch = (got: unknown, expected: unknown, where: string): string | null => {
  if (!isObject(expected)) {
    return isDeepStrictEqual(got, expected) ? null : `${where || "frame"} is not ${JSON.stringify(expected)}`;
  }
  if (!isObject(got)) return `${where || "frame"} is not an object`;
  for (const [key, value] of Object.entries(expected)) {
    const at = where === "" ? key : `${where}.${key}`;
    if (!Object.hasOwn(got, key)) return `${at} is missing`;
    const wrong = subsetMismatch(got[key], value, at);
    if (wrong !== null) return wrong;
  }
  return null;
};
