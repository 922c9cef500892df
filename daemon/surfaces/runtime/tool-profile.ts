import type { EffectClass } from "./effect-words.ts";

/**
 * How one tool of one server behaves, learned over a window or declared. It holds classes, registrable domains and digests: it can be shown to
 * whoever reviews it. It never learns past its window, so what a tool does first when nobody looks does not become what it may do; it is
 * reset with each approval of the tool, since another definition is another tool.
 */
export interface ToolProfile {
  readonly profile_version: "1";
  readonly since_ms: number;
  /** Calls and results that it was learned of. */
  readonly calls: number;
  readonly results: number;
  readonly destinations: readonly string[];
  readonly response_classes: readonly string[];
  readonly max_characters: number;
  readonly max_items: number;
  readonly prose_results: number;
  readonly effect_classes: readonly EffectClass[];
}

/** Learned once either is reached; by time alone only with a few calls, else one call of yesterday would be a profile. */
export interface LearningWindow {
  readonly calls: number;
  readonly for_ms: number;
}

export const defaultWindow: LearningWindow = Object.freeze({ calls: 20, for_ms: 24 * 60 * 60 * 1000 });

/** Before so many there is nothing to compare with. */
export const fewestCalls = 5;
export const maxClasses = 64;
export const maxDestinations = 256;

export const emptyProfile = (now_ms: number): ToolProfile =>
  Object.freeze({
    profile_version: "1",
    since_ms: now_ms,
    calls: 0,
    results: 0,
    destinations: Object.freeze([]),
    response_classes: Object.freeze([]),
    max_characters: 0,
    max_items: 0,
    prose_results: 0,
    effect_classes: Object.freeze([]),
  });

export const isLearned = (
  count: number,
  { since_ms }: ToolProfile,
  { calls, for_ms }: LearningWindow,
  now_ms: number,
): boolean => count >= calls || (count >= fewestCalls && now_ms - since_ms >= for_ms);

/** What two daemons of one store learned at the same time: neither forgets what the other saw. */
export const mergedProfile = (one: ToolProfile, other: ToolProfile): ToolProfile =>
  Object.freeze({
    profile_version: "1",
    since_ms: Math.min(one.since_ms, other.since_ms),
    calls: Math.max(one.calls, other.calls),
    results: Math.max(one.results, other.results),
    destinations: bounded([...one.destinations, ...other.destinations], maxDestinations),
    response_classes: bounded([...one.response_classes, ...other.response_classes], maxClasses),
    max_characters: Math.max(one.max_characters, other.max_characters),
    max_items: Math.max(one.max_items, other.max_items),
    prose_results: Math.max(one.prose_results, other.prose_results),
    effect_classes: bounded([...one.effect_classes, ...other.effect_classes], maxClasses),
  });

const bounded = <T extends string>(all: readonly T[], most: number): readonly T[] =>
  Object.freeze([...new Set(all)].sort().slice(0, most));
