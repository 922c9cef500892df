import type { Coverage } from "./coverage/lists.ts";

/** Kept on `process`, so that a second copy of this package in the same thread sees it. */
const key = Symbol.for("interlock.installed");

/** What this copy guards: a program that deletes the mark does not make it install anew. */
let own: Coverage | null = null;

/** What is guarded in this thread; null where nothing is. */
export const installedCoverage = (): Coverage | null =>
  own ?? (Reflect.get(process, key) as Coverage | undefined) ?? null;

export const markInstalled = (lists: Coverage | null): void => {
  own = lists;
  if (lists === null) Reflect.deleteProperty(process, key);
  else Object.defineProperty(process, key, { value: lists, configurable: true });
};
