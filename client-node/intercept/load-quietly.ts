import { createRequire } from "node:module";

const load = createRequire(import.meta.url);

/** A builtin that warns when it is loaded, and what it would have said. */
export interface Quiet<T> {
  readonly module: T;
  /** Says it now, once: when the program first uses what it warns of. */
  warn(): void;
}

/** Loads a builtin, if this Node has it, without the warning of a feature that the program may never use. */
export const loadQuietly = <T>(name: string): Quiet<T> | null => {
  const kept: unknown[][] = [];
  const { emitWarning } = process;
  process.emitWarning = (...args: unknown[]) => {
    kept.push(args);
  };
  try {
    const module = load(`node:${name}`) as T;
    return {
      module,
      warn() {
        for (const args of kept.splice(0)) Reflect.apply(process.emitWarning, process, args);
      },
    };
  } catch {
    return null;
  } finally {
    process.emitWarning = emitWarning;
  }
};
