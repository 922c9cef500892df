import { isPlainObject } from "../../plain-object.ts";
import { sameView } from "../../same-view.ts";
import { dataView, jsonView } from "../argument-view.ts";
import { type Call, heldEnvironment, texts } from "./call.ts";

/**
 * What a rule sees: `{command, args?, options?}`. The texts that are run (command, args, `execArgv`) are shown whole: one that
 * is longer than a frame may be is blocked, never shortened. `input` beyond 64 KiB is `{bytes, sha256}`. Streams and signals
 * have no JSON form: they are left out, or null inside of `stdio`.
 */
export const viewOf = ({ command, args, options }: Call): Record<string, unknown> => ({
  command,
  ...(args === undefined ? {} : { args }),
  ...(options === undefined ? {} : { options: optionsView(options) }),
});

const optionsView = (options: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const view: Record<string, unknown> = {};
  for (const key of Object.keys(options)) {
    const shown = optionView(key, options[key]);
    if (shown !== undefined) define(view, key, shown);
  }
  return view;
};

const optionView = (key: string, value: unknown): unknown => {
  if (key === "input") return dataView(value);
  if (key === "execArgv" && Array.isArray(value)) return value;
  if (key === "env" && typeof value === "object" && value !== null) return jsonView({ ...value });
  return jsonView(value);
};

/** The call after a rewrite. What the rule left as it was is the caller's own. @throws TypeError it fits no call */
export const changedCall = (call: Call, changed: Readonly<Record<string, unknown>>): Call => {
  if (typeof changed.command !== "string") throw new TypeError("the rewritten command is not text");
  return {
    command: changed.command,
    args: changedArgs(call, changed.args),
    options: changedOptions(call.options ?? {}, changed.options),
    callback: call.callback,
  };
};

const changedArgs = (call: Call, wanted: unknown): readonly string[] | undefined => {
  if (wanted === undefined || sameView(wanted, call.args)) return wanted === undefined ? undefined : call.args;
  if (!Array.isArray(wanted)) throw new TypeError("the rewritten args are not a list");
  return texts(wanted, false);
};

const changedOptions = (
  options: Readonly<Record<string, unknown>>,
  wanted: unknown,
): Readonly<Record<string, unknown>> | undefined => {
  const view = optionsView(options);
  // Without options in the rewrite, what rules were not shown (signals) stays.
  if (wanted !== undefined && !isPlainObject(wanted)) throw new TypeError("the rewritten options are not an object");
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(options)) if (!Object.hasOwn(view, key)) define(result, key, options[key]);
  for (const key of Object.keys(wanted ?? {})) {
    const item = wanted?.[key];
    const kept = Object.hasOwn(view, key) && sameView(view[key], item);
    define(result, key, kept ? options[key] : key === "env" && isPlainObject(item) ? heldEnvironment(item) : item);
  }
  return wanted === undefined && Object.keys(result).length === 0 ? undefined : result;
};

const define = (object: object, key: string, value: unknown): void => {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
};
