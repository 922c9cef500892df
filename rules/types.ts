import type { Phase, SensorEvent } from "../wire/event.ts";
import type { JsonObject, JsonValue, WireObject, WireValue } from "../wire/value.ts";
import type { ToolDefinition } from "./contracts/tool.ts";

/** The event a rule sees. `args` is frozen; `ts` is the daemon's clock, in seconds. */
export type RuleEvent = Omit<SensorEvent, "ts" | "call_id"> & { readonly ts: number };

export interface AnswerOptions {
  /** Which policy decided; defaults to the rule's id. `null` sends none. */
  readonly policyId?: string | null;
  /** The argument the answer is about, by name or path (`items[2].url`). Never its value. */
  readonly attributedTo?: string;
}

export interface AllowAnswer {
  readonly kind: "allow";
  readonly reason: string;
  readonly policyId: string | null | undefined;
}

export interface BlockAnswer {
  readonly kind: "block";
  readonly reason: string;
  readonly policyId: string | null | undefined;
  readonly attributedTo: string | null;
}

export interface RewriteAnswer<Args = Readonly<Record<string, unknown>>> {
  readonly kind: "rewrite";
  /** Merged over the arguments, top level; a key set to `remove` is taken away. */
  readonly args: Args;
  readonly reason: string;
  readonly policyId: string | null | undefined;
  readonly attributedTo: string | null;
}

export interface RewriteResultAnswer {
  readonly kind: "rewrite_result";
  /** Replaces the whole result; null means no replacement. */
  readonly result: unknown;
  readonly reason: string;
  readonly policyId: string | null | undefined;
  readonly attributedTo: string | null;
}

export interface EscalateAnswer {
  readonly kind: "escalate";
  readonly reason: string;
  readonly policyId: string | null | undefined;
  readonly attributedTo: string | null;
  /** Who may say yes: the client's own `onEscalate`, or an operator only. */
  readonly by: "client" | "operator";
}

/** What a rule answers. Made by `allow`, `block`, `rewrite`, `rewriteResult`, `escalate`; frozen. */
export type RuleAnswer = AllowAnswer | BlockAnswer | RewriteAnswer | RewriteResultAnswer | EscalateAnswer;

/** Looks a fact up by name and key. In an example it reads from `given`. A missing fact, or an undefined key, is undefined. */
export type Lookup = (resolver: string, key: WireValue | undefined) => Promise<unknown>;
export type Resolver = (key: WireValue) => Promise<unknown> | unknown;
export type Resolvers = Readonly<Record<string, Resolver>>;

export interface RuleContext {
  readonly lookup: Lookup;
  /** The daemon's clock. */
  readonly now_ms: number;
}

export interface RuleExample {
  readonly event: {
    readonly action: string;
    readonly args: WireObject;
    readonly phase?: Phase;
    readonly principal?: string;
    readonly parent_principal?: string;
  };
  /** Facts by resolver name, then key. */
  readonly given?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
  readonly expect: "allow" | "block" | "rewrite" | "escalate" | "silent";
  /** With `rewrite`: the arguments after it, or for a result the replacement. */
  readonly becomes?: WireValue;
}

/** A rule as the daemon holds it. Authors write the typed forms in authoring.ts; `defineRules` makes these of them. */
export interface Rule {
  /** Unique in the rule set; named in receipts and reasons. */
  readonly id: string;
  /** Exact names, `"prefix.*"`, or `"*"`. */
  readonly actions: readonly string[];
  readonly phase: Phase;
  evaluate(event: RuleEvent, context: RuleContext): RuleAnswer | undefined | Promise<RuleAnswer | undefined>;
  readonly examples: readonly RuleExample[];
}

/** What `defineRules` returns: checked, copied, frozen. */
export interface RuleSet {
  readonly id: string;
  /** A whole number that only rises. */
  readonly version: number;
  readonly rules: readonly Rule[];
  readonly tools: readonly ToolDefinition[];
  /** Data, as it was written: the daemon parses it strictly before it judges by it. */
  readonly policies: readonly JsonValue[];
  readonly principals: JsonObject;
  readonly resolvers: Resolvers;
  readonly deadline_ms: number;
}
