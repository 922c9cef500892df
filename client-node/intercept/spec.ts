import { copyOf } from "../bytes-of.ts";
import { itemsOf } from "../items-of.ts";
import { isPlainObject } from "../plain-object.ts";
import { sameView } from "../same-view.ts";
import { dataView, jsonView } from "./argument-view.ts";
import { heldPath, pathText } from "./path-text.ts";

/** How the arguments of one function are shown to rules, and how a rewrite becomes arguments again. */
export interface Spec {
  readonly action: string;
  /** A copy that nothing outside can change while the guard is asked. Default: the arguments themselves. */
  hold?(args: readonly unknown[]): readonly unknown[];
  project(args: readonly unknown[]): Record<string, unknown>;
  /** `changed` is the whole view after the rewrites. @throws TypeError no arguments can be made of it */
  apply(args: readonly unknown[], changed: Readonly<Record<string, unknown>>): unknown[];
}

const pathNames: readonly string[] = ["path", "dest", "target", "file"];

/**
 * A spec from the names of positions; an empty name is a position that is not shown. Function-valued and undefined
 * positions are left out. What a rule left as it was keeps the caller's own argument.
 */
export const fields =
  (...names: readonly string[]) =>
  (action: string): Spec => ({
    action,
    hold: (args) => args.map((value, at) => held(names[at], value)),
    project(args) {
      const view: Record<string, unknown> = {};
      names.forEach((name, at) => {
        const shown = name === "" ? undefined : fieldView(name, args[at]);
        if (shown !== undefined) view[name] = shown;
      });
      return view;
    },
    apply(args, changed) {
      const result = [...args];
      names.forEach((name, at) => {
        if (name === "") return;
        const shown = fieldView(name, args[at]);
        const wanted = Object.hasOwn(changed, name) ? changed[name] : undefined;
        if (sameView(shown, wanted)) return;
        while (result.length <= at) result.push(undefined);
        result[at] = merged(args[at], wanted);
      });
      return result;
    },
  });

const fieldView = (name: string, value: unknown): unknown => {
  if (typeof value === "function" || value === undefined) return undefined;
  if (name === "data") return dataView(value);
  return jsonView(pathNames.includes(name) ? pathText(value) : value);
};

/** Parts of an options object that rules are not shown (signals, callbacks) stay with the rewritten rest. */
const merged = (original: unknown, wanted: unknown): unknown => {
  if (!isPlainObject(original) || !isPlainObject(wanted)) return wanted;
  const result: Record<string, unknown> = { ...wanted };
  for (const key of Object.keys(original)) {
    if (!Object.hasOwn(result, key) && jsonView(original[key]) === undefined) result[key] = original[key];
  }
  return result;
};

const held = (name: string | undefined, value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value;
  if (name !== undefined && pathNames.includes(name)) return heldPath(value);
  return name === "options" && !ArrayBuffer.isView(value) && !Array.isArray(value)
    ? heldOptions(value, 1)
    : heldValue(value, 1);
};

/** Inherited options count for Node, whatever they are an instance of: they are shown and kept as own ones. */
const heldOptions = (value: object, depth: number): unknown => {
  const copy: Record<string, unknown> = {};
  for (const key in value) {
    const item = heldValue((value as Record<string, unknown>)[key], depth + 1);
    Object.defineProperty(copy, key, { value: item, writable: true, enumerable: true, configurable: true });
  }
  return copy;
};

/** Bytes, dates, lists and plain objects are copied. Any other instance (a stream, a signal, an agent) is what it is by identity. */
const heldValue = (value: unknown, depth: number): unknown => {
  if (typeof value !== "object" || value === null || depth > deepestHeld) return value;
  if (Buffer.isBuffer(value)) return Buffer.from(value);
  if (ArrayBuffer.isView(value)) return copyOf(value);
  if (value instanceof Date) return new Date(Reflect.apply(getTime, value, []));
  if (Array.isArray(value)) return itemsOf<unknown>(value).map((item) => heldValue(item, depth + 1));
  return isPlainObject(value) ? heldOptions(value, depth) : value;
};

const deepestHeld = 8;
const { getTime } = Date.prototype;
