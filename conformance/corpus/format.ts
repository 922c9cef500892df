import type { JsonObject, JsonValue } from "../../wire/value.ts";
import type { VerdictName } from "../../wire/verdict.ts";

/**
 * The corpus as data. `cases` and `negatives` keep wire v1's own format, so that a replayer written for v1 runs them as
 * they are; `entries` holds what v1's corpus does not cover. README.md explains each form to an author of another language.
 */
export interface Corpus {
  readonly corpus_version: 1;
  /** The name of the rule set, as v1's replayers assert it. Ours is conformance/rules.ts. */
  readonly rules: "interlock.testing.fixtures:CONFORMANCE_ENGINE";
  readonly cases: readonly V1Case[];
  readonly negatives: readonly V1Negative[];
  readonly entries_version: 1;
  readonly entries: readonly Entry[];
}

/** Bytes stand in args and expectations as `{"kind":"bytes","hex":"0001ff"}`, never as the wire's envelope. */
export interface EventData {
  readonly action: string;
  readonly args: JsonObject;
  readonly phase: "call" | "result";
  readonly principal?: string;
  readonly parent_principal?: string;
  readonly span_id?: string;
  readonly ts?: number;
  readonly call_id?: string;
}

export interface V1Decision {
  readonly verdict: VerdictName;
  readonly reason: string;
  readonly policy_id: string | null;
  readonly attributed_to: string | null;
  readonly modified_args: JsonObject | null;
  readonly modified_result: JsonValue;
  readonly note: "";
}

export interface V1Case {
  readonly name: string;
  readonly note: string;
  readonly event: EventData;
  readonly expect: V1Decision | { readonly error: string; readonly note: "" };
}

export type V1Negative =
  | {
      readonly name: string;
      readonly note: string;
      readonly kind: "frame";
      readonly line: string;
      readonly error: string;
    }
  | { readonly name: string; readonly note: string; readonly kind: "oversized"; readonly error: string };

export type Entry = CaseEntry | FrameEntry | ExchangeEntry;

interface Named {
  /** Unique in the corpus; letters, digits and dashes. */
  readonly name: string;
  /** Why it exists. */
  readonly note: string;
}

/** An event through the language's own client. */
export interface CaseEntry extends Named {
  readonly kind: "case";
  readonly event: EventData;
  readonly expect: CaseExpectation;
}

export type CaseExpectation =
  | DecisionExpectation
  /** The client blocks and its reason holds this code. `by` tells a refusal of the client's own from the daemon's. */
  | { readonly error: string; readonly by: "client" | "daemon" };

/**
 * Fields that are left out must be empty: `reason` "", the others null. `reason_contains` and `effective_args` take the
 * place of `reason` and `modified_args` where the exact one is the daemon's own choice.
 */
export interface DecisionExpectation {
  readonly verdict: VerdictName;
  readonly reason?: string;
  readonly reason_contains?: readonly string[];
  readonly policy_id?: string | null;
  readonly attributed_to?: string | null;
  readonly modified_args?: JsonObject;
  /** The event's args after the client has applied the decision. */
  readonly effective_args?: JsonObject;
  readonly modified_result?: JsonValue;
  /** Texts that may stand nowhere in the decision. */
  readonly never_contains?: readonly string[];
}

/** A line of raw bytes, without its newline: text (UTF-8), bytes in hex, or one text many times over. */
export type Piece = string | { readonly hex: string } | { readonly repeat: string; readonly times: number };

/** One raw line on a fresh connection, and the one frame that answers it. */
export interface FrameEntry extends Named {
  readonly kind: "frame";
  /** The newline is added by whoever replays it. */
  readonly line: readonly Piece[];
  readonly expect: FrameExpectation;
  /** `open`: an ordinary question is then allowed on the same connection. `closed`: the daemon ends it. */
  readonly afterwards: "open" | "closed";
}

/** A script over one or several raw connections. Pieces are sent as they are: a newline stands where one is sent. */
export interface ExchangeEntry extends Named {
  readonly kind: "exchange";
  readonly steps: readonly Step[];
}

export type Step =
  /** Opens connection `on`. With `retry_ms` it is tried again for so long, as after a restart of the daemon. */
  | { readonly do: "connect"; readonly on: string; readonly retry_ms?: number }
  /** Writes all pieces at once. */
  | { readonly do: "send"; readonly on: string; readonly bytes: readonly Piece[] }
  /** Reads as many frames as are listed. They come in any order unless `order` is `given`. */
  | {
      readonly do: "receive";
      readonly on: string;
      readonly frames: readonly FrameExpectation[];
      readonly order?: "any" | "given";
      readonly within_ms?: number;
    }
  /** No byte has arrived beyond what was read; with `for_ms`, none arrives for so long. */
  | { readonly do: "silent"; readonly on: string; readonly for_ms?: number }
  /** The daemon ends the connection. */
  | { readonly do: "closed"; readonly on: string; readonly within_ms?: number }
  /** Ends the writing side and keeps reading. */
  | { readonly do: "finish"; readonly on: string }
  /** Drops the connection. */
  | { readonly do: "drop"; readonly on: string }
  | { readonly do: "wait"; readonly ms: number };

/** One frame. Without `save`, `same_as` and `differs_from` a frame stands alone. */
export type FrameExpectation = (
  | AnswerExpectation
  | { readonly error: string; readonly id?: string }
  /** The exact bytes, without the newline. */
  | { readonly text: string }
  /** These keys hold these values; an object is compared by the keys listed, everything else whole. */
  | { readonly like: JsonObject }
  /** Any frame; goes with `same_as` or `differs_from`. */
  | { readonly any: true }
) & {
  /** Keeps the frame's text under a name, for this entry. */
  readonly save?: string;
  readonly same_as?: string;
  readonly differs_from?: string;
  readonly never_contains?: readonly string[];
};

/** A response: exactly the eight keys, nine with `details`. Values stand as on the wire, bytes in their envelope. */
export interface AnswerExpectation {
  readonly answer: {
    readonly id: string;
    readonly verdict: VerdictName;
    readonly reason?: string;
    readonly reason_contains?: readonly string[];
    readonly reason_max_bytes?: number;
    readonly policy_id?: string | null;
    readonly attributed_to?: string | null;
    readonly modified_args?: JsonObject;
    /** Holds at least these keys with these values: a rewrite may send the changed arguments or all of them. */
    readonly modified_args_include?: JsonObject;
    readonly modified_result?: JsonValue;
    /** The ninth key must be there and hold these. Left out: the ninth key must not be there. */
    readonly details?: JsonObject;
  };
}
