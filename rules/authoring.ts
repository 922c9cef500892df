import type { Phase } from "../wire/event.ts";
import type { WireObject, WireValue } from "../wire/value.ts";
import type { PolicyDefinition, Principals } from "./contracts/policy-definition.ts";
import type { ToolDefinition } from "./contracts/tool.ts";
import type { Remove } from "./remove.ts";
import type {
  AllowAnswer,
  BlockAnswer,
  EscalateAnswer,
  Resolver,
  Resolvers,
  RewriteAnswer,
  RewriteResultAnswer,
  RuleAnswer,
  RuleEvent,
  RuleExample,
} from "./types.ts";

/**
 * The types a rule author meets. `Tools` maps action names to their argument types and `Facts` resolver names to what
 * they return, so that a misspelt action, a rewrite to a wrong type, or an unknown verdict does not compile.
 */

/** Without `forTools`: any action name, arguments as they are on the wire. */
export type AnyTools = Record<string, WireObject>;
export type AnyFacts = Record<string, WireObject>;

/** A known action, every action below a prefix, or every action. */
export type ActionOf<Tools> = (keyof Tools & string) | `${string}.*` | "*";

/** A wildcard's arguments are unknown, so they are what the wire can carry. */
export type ArgsOf<Tools, Action> = Action extends keyof Tools ? Tools[Action] : WireObject;

/** One member for each action, so that comparing `event.action` narrows `event.args`. */
export type CallEventOf<Tools, Action> = Action extends string
  ? Omit<RuleEvent, "action" | "args" | "phase"> & {
      readonly action: Action extends keyof Tools ? Action : string;
      readonly args: Readonly<ArgsOf<Tools, Action>>;
      readonly phase: "call";
    }
  : never;

export type ResultEvent = Omit<RuleEvent, "phase"> & { readonly phase: "result" };

/** The arguments a rewrite may set: a subset with the right types; an optional one may be taken away. */
export type RewriteOf<Args> = {
  readonly [Name in keyof Args]?: Args[Name] | (Partial<Pick<Args, Name>> extends Pick<Args, Name> ? Remove : never);
};

export type CallAnswerOf<Args> = AllowAnswer | BlockAnswer | EscalateAnswer | RewriteAnswer<RewriteOf<Args>>;
/** A result is never escalated: nobody can undo what has happened. */
export type ResultAnswer = AllowAnswer | BlockAnswer | RewriteResultAnswer;

type Eventually<Answer> = Answer | undefined | Promise<Answer | undefined>;

export interface ContextOf<Facts> {
  /** A fact by resolver name and key; undefined where there is none, or no key. */
  readonly lookup: <Name extends keyof Facts & string>(
    resolver: Name,
    key: WireValue | undefined,
  ) => Promise<Facts[Name] | undefined>;
  /** The daemon's clock. */
  readonly now_ms: number;
}

/** Arguments are as on the wire, whatever `Tools` says: what an example proves is often that wrong ones are refused. */
export interface ExampleOf<Tools, Facts, Action> extends Omit<RuleExample, "event" | "given"> {
  readonly event: Omit<RuleExample["event"], "action"> & {
    readonly action: Action extends keyof Tools ? Action : string;
  };
  readonly given?: { readonly [Name in keyof Facts]?: Readonly<Record<string, Facts[Name]>> };
}

export interface CallRule<Tools, Facts, Action> {
  /** Unique in the rule set; named in receipts and reasons. */
  readonly id: string;
  /** Exact names, `"prefix.*"`, or `"*"`. */
  readonly actions: readonly Action[];
  readonly phase: "call";
  readonly evaluate: (
    event: CallEventOf<Tools, Action>,
    context: ContextOf<Facts>,
  ) => Eventually<CallAnswerOf<ArgsOf<Tools, Action>>>;
  /** At least one. They run before the set is signed and whenever it is loaded. */
  readonly examples: readonly ExampleOf<Tools, Facts, NoInfer<Action>>[];
}

export interface ResultRule<Tools, Facts, Action> {
  readonly id: string;
  readonly actions: readonly Action[];
  readonly phase: "result";
  readonly evaluate: (event: ResultEvent, context: ContextOf<Facts>) => Eventually<ResultAnswer>;
  readonly examples: readonly ExampleOf<Tools, Facts, NoInfer<Action>>[];
}

export type RuleOf<Tools, Facts, Action> = CallRule<Tools, Facts, Action> | ResultRule<Tools, Facts, Action>;

/** A rule whose arguments are as on the wire: what `defineRules` takes where no tools were named. */
export interface PlainRule {
  /** Unique in the rule set; named in receipts and reasons. */
  readonly id: string;
  /** Exact names, `"prefix.*"`, or `"*"`. */
  readonly actions: readonly string[];
  readonly phase: Phase;
  evaluate(event: RuleEvent, context: ContextOf<AnyFacts>): Eventually<RuleAnswer>;
  /** At least one. They run before the set is signed and whenever it is loaded. */
  readonly examples: readonly RuleExample[];
}

declare const defined: unique symbol;
/** Made by `defineRule`, which checked its types: fits any set. The mark is the compiler's alone. */
export type DefinedRule = PlainRule & { readonly [defined]: true };

/** What a set may hold beside rules. */
export interface SetContents {
  /** Made by `defineTool` of `interlock/contracts`. */
  readonly tools?: readonly ToolDefinition[];
  readonly policies?: readonly PolicyDefinition[];
  /** Roles and tenants, by principal. */
  readonly principals?: Principals;
}

export interface PlainRuleSet extends SetContents {
  readonly id: string;
  /** A whole number that only rises: an older one is refused once a newer was served. */
  readonly version: number;
  /** A set without rules has tools or policies. */
  readonly rules?: readonly PlainRule[];
  readonly resolvers?: Resolvers;
  /** Wall time all rules of this set may take for one event. Default 250. */
  readonly deadline_ms?: number;
}

/** What `defineRules` takes where tools were named; `Actions` holds the actions of each rule, by its place. */
export interface RuleSetOf<Tools, Facts, Actions extends readonly ActionOf<Tools>[]> extends SetContents {
  readonly id: string;
  readonly version: number;
  readonly rules: {
    readonly [Place in keyof Actions]: RuleOf<Tools, Facts, Actions[Place]> | Pick<DefinedRule, typeof defined>;
  };
  readonly resolvers?: { readonly [Name in keyof Facts]?: Resolver };
  /** Wall time all rules of this set may take for one event. Default 250. */
  readonly deadline_ms?: number;
}
