import { RuleDefinitionError } from "./definition-error.ts";
import type {
  AllowAnswer,
  AnswerOptions,
  BlockAnswer,
  EscalateAnswer,
  RewriteAnswer,
  RewriteResultAnswer,
} from "./types.ts";

/**
 * The five things a rule can say. Each value is frozen. A reason is a line of at most 512 bytes that names no
 * argument's value: the daemon cuts a longer one and withholds one that quotes. What is not a string throws, and a rule
 * that throws blocks.
 */

/** The call was checked and is fine. Saying nothing (`return;`) is not the same: that is no opinion. */
export const allow = (reason = "allowed", options: AnswerOptions = {}): AllowAnswer =>
  Object.freeze({ kind: "allow", reason: line(reason), policyId: options.policyId });

/** The call must not happen. */
export const block = (reason: string, options: AnswerOptions = {}): BlockAnswer =>
  Object.freeze({ kind: "block", reason: line(reason), ...about(options) });

/**
 * The call may happen with these arguments instead: merged over the present ones at the top level; a key set to
 * `remove` is taken away. Every rule then judges the rewritten call.
 */
export const rewrite = <const Args extends Readonly<Record<string, unknown>>>(
  args: Args,
  options: AnswerOptions & { readonly reason?: string } = {},
): RewriteAnswer<Args> =>
  Object.freeze({
    kind: "rewrite",
    args: Object.freeze({ ...object(args) }),
    reason: line(options.reason ?? "rewritten"),
    ...about(options),
  });

/** What the tool returned is replaced by this before the agent sees it. Null means no replacement. */
export const rewriteResult = (
  result: unknown,
  options: AnswerOptions & { readonly reason?: string } = {},
): RewriteResultAnswer =>
  Object.freeze({
    kind: "rewrite_result",
    result,
    reason: line(options.reason ?? "result rewritten"),
    ...about(options),
  });

/** A human must say yes: the client's own `onEscalate`, or with `by: "operator"` an operator only. */
export const escalate = (
  reason: string,
  options: AnswerOptions & { readonly by?: "client" | "operator" } = {},
): EscalateAnswer =>
  Object.freeze({ kind: "escalate", reason: line(reason), ...about(options), by: whose(options.by ?? "client") });

const about = (options: AnswerOptions) => ({
  policyId: options.policyId,
  attributedTo: options.attributedTo ?? null,
});

const line = (reason: unknown): string => {
  if (typeof reason !== "string") throw new RuleDefinitionError("an answer's reason must be a string");
  return reason;
};

const object = <Args extends object>(args: Args): Args => {
  if (typeof args !== "object" || args === null || Array.isArray(args))
    throw new RuleDefinitionError("rewrite takes an object of arguments");
  return args;
};

const whose = (by: unknown): "client" | "operator" => {
  if (by !== "client" && by !== "operator")
    throw new RuleDefinitionError('escalate: by must be "client" or "operator"');
  return by;
};
