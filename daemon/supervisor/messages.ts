import type { Settings } from "../config/settings.ts";
import type { ExitCode } from "../exit-codes.ts";
import type { Publication } from "../fallback/publication.ts";
import type { TrustFiles } from "../keys/trust-files.ts";
import type { DocumentFile } from "../keys/verify-document.ts";
import type { RuleSetFile } from "../rulesets/signed-file.ts";

/** Files as they were read once: what is verified is what runs, here and after a restart. */
export interface RuleSources {
  readonly files: readonly RuleSetFile[];
  /** What says whose signatures are believed. */
  readonly trust: TrustFiles;
  /** The signed scope document; null where none is configured. */
  readonly scopes: DocumentFile | null;
  /** What clients are to decide by while the daemon is away; null where there is no such policy. */
  readonly fallback: Publication | null;
}

/** How the last reload went, and how many there were: what `status` tells. It outlives an engine. */
export interface ReloadState {
  readonly count: number;
  readonly ok: boolean;
  readonly message: string;
}

/** What an engine is started with. */
export interface EngineStart {
  readonly memory: SharedArrayBuffer;
  readonly settings: Settings;
  readonly sources: RuleSources;
  /** Numbers of rules go on rising over reloads and restarts, so that one number never means two rules. */
  readonly firstRuleNumber: number;
  /** True at the daemon's own start; after that these very bytes have proved themselves. */
  readonly runExamples: boolean;
  readonly disabled: boolean;
  readonly suspended: readonly string[];
  readonly overran: readonly string[];
  readonly started_ms: number;
  readonly reload: ReloadState;
  /** Somebody asked by a signal that everything be stopped, and that is not in the store yet. */
  readonly stopAsked: boolean;
  /** The chain that earlier engines of this daemon wrote; null for the first. No other is gone on with. */
  readonly chain: string | null;
}

/** A rule as the watchdog knows it. */
export interface WatchedRule {
  readonly number: number;
  readonly id: string;
  readonly deadline_ms: number;
}

export type FromEngine =
  | {
      readonly kind: "rules";
      readonly rules: readonly WatchedRule[];
      readonly digest: string;
      readonly version: number;
    }
  | { readonly kind: "listening"; readonly chain: string }
  | { readonly kind: "refused"; readonly exitCode: ExitCode; readonly message: string; readonly isPassing: boolean }
  | { readonly kind: "swapped" }
  | { readonly kind: "swap_refused"; readonly message: string }
  /** For the operator. */
  | { readonly kind: "notice"; readonly line: string }
  /** The stop that a signal asked for is in the store. */
  | { readonly kind: "stop_written" }
  | { readonly kind: "drained" };

export type ToEngine =
  | { readonly kind: "swap"; readonly sources: RuleSources }
  | { readonly kind: "reload_refused"; readonly message: string }
  /** Everything is to be blocked. */
  | { readonly kind: "stop_all" }
  | { readonly kind: "drain" };
