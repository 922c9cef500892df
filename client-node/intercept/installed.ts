import type { Coverage } from "./coverage.ts";

/** Kept on `process`, so that a second copy of this package in the same thread sees it. */
const key = Symbol.for("interlock.installed");

/** What is guarded in this thread; null where nothing is. */
export const installedCoverage = (): Coverage | null => (Reflect.get(process, key) as Coverage | undefined) ?? null;

export const markInstalled = (lists: Coverage | null): void => {
  if (lists === null) Reflect.deleteProperty(process, key);
  else Object.defineProperty(process, key, { value: lists, configurable: true });
};
