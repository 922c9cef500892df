import type { Phase } from "../wire/event.ts";
import { Verdict } from "../wire/verdict.ts";
import { BlockedError } from "./blocked-error.ts";
import { Decision } from "./decision.ts";
import { errorName } from "./error-name.ts";
import type { EnforceOptions, EngineAnswer } from "./guard-options.ts";
import { ownPromise } from "./own-promise.ts";
import { isPlainObject } from "./plain-object.ts";
import { wrongReplay } from "./replay.ts";

/**
 * Puts one event to the engine. Resolves to a decision that can be acted on; anything else, an engine that throws or answers
 * junk included, is a `BlockedError`.
 */
export const ask = async (
  action: string,
  args: Readonly<Record<string, unknown>>,
  phase: Phase,
  options: EnforceOptions,
): Promise<Decision> => {
  const decision = await askOnce(action, args, phase, options);
  const { surface } = options;
  if (surface == null || !isUnreported(decision)) return decision;
  // A daemon that was started anew, or holds listings for a shorter time, is told again: once, and then what it says stands.
  await surface.renew();
  return askOnce(action, args, phase, options);
};

const isUnreported = ({ verdict, details }: Decision): boolean =>
  verdict === Verdict.BLOCK && (details?.code === "surface_unknown" || details?.code === "surface_stale");

const askOnce = (
  action: string,
  args: Readonly<Record<string, unknown>>,
  phase: Phase,
  options: EnforceOptions,
): Promise<Decision> =>
  answered(action, phase, () =>
    options.engine.evaluate({
      action,
      args,
      phase,
      principal: options.principal ?? null,
      span_id: options.spanId ?? null,
      parent_principal: options.parentPrincipal ?? null,
      ts: Date.now() / 1000,
      call_id: options.callId ?? null,
      grade: options.enforcement === "monitor" ? "async/monitor" : "async/enforce",
      server: options.surface?.named ?? null,
    }),
  );

/** What an engine answers to whatever it is asked, as a decision that can be acted on. Rejects with BlockedError. */
export const answered = async (
  action: string,
  phase: Phase,
  asking: () => Promise<EngineAnswer>,
): Promise<Decision> => {
  let answer: unknown;
  try {
    const answering = asking();
    answer = await (isPlainPromise(answering) ? ownPromise(answering) : answering);
  } catch (error) {
    if (error instanceof BlockedError) throw error;
    throw blocked(action, `the guard engine gave no verdict: ${errorName(error)}`);
  }
  return believed(action, phase, answer);
};

/** An engine's answer as a decision that can be acted on. @throws BlockedError it is none */
export const believed = (action: string, phase: Phase, answer: unknown): Decision => {
  const decision = answer instanceof Decision && isVerdict(answer.verdict) ? answer : decisionOf(action, answer);
  const wrong = wrongReplay(decision);
  if (wrong !== null) throw blocked(action, `the guard answered with ${wrong}`);
  if (decision.details?.replayed === true) {
    if (phase === "call") return decision;
    throw blocked(action, "the guard answered a result with a replay");
  }
  // What was to be changed would go on unchanged: the rewrite is of the other side of the effect.
  if ((phase === "call" ? decision.modified_result : decision.modified_args) !== null) {
    throw blocked(action, `the guard answered a ${phase} with a rewrite that is not of a ${phase}`);
  }
  return decision;
};

/** A promise of somebody else's class may have a `then` of its own. */
const isPlainPromise = (value: object): boolean => Object.getPrototypeOf(value) === Promise.prototype;

const isVerdict = (verdict: unknown): verdict is Verdict =>
  verdict === Verdict.ALLOW || verdict === Verdict.BLOCK || verdict === Verdict.MODIFY || verdict === Verdict.ESCALATE;

/** An engine of somebody else's: its answer is checked before it is believed. */
const decisionOf = (action: string, answer: unknown): Decision => {
  if (typeof answer !== "object" || answer === null) throw blocked(action, "the guard engine gave no verdict");
  const { verdict, modified_args } = answer as Partial<Decision>;
  if (!isVerdict(verdict)) throw blocked(action, "the guard engine gave an unknown verdict");
  if (modified_args !== null && modified_args !== undefined && !isPlainObject(modified_args)) {
    throw blocked(action, "the guard engine gave a rewrite that is not an object");
  }
  return new Decision(answer as Partial<Decision>, (answer as Partial<Decision>).replaces_args === true);
};

export const blocked = (action: string, reason: string): BlockedError =>
  new BlockedError(Decision.block(reason), action);
