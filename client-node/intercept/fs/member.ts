import type { FileSpec } from "./file-spec.ts";

// biome-ignore lint/suspicious/noExplicitAny: builtins are functions of any shape
export type AnyFunction = (...args: any[]) => any;

/** One function of `fs` or `fs.promises`, and how it is guarded. */
export interface Member {
  /** As the module has it: `readFileSync`; those of `fs.promises` as `promises.readFile`. */
  readonly key: string;
  readonly spec: FileSpec;
  /** That of its property `native`, where it has one. */
  readonly native?: FileSpec | undefined;
  /** The functions that it calls through the module before it returns, for the same path. */
  readonly inner?: readonly string[] | undefined;
  /** Those for any of its paths. */
  readonly innerAnywhere?: readonly string[] | undefined;
  /** Those after it has returned, for any of its paths. */
  readonly later?: readonly string[] | undefined;
}
