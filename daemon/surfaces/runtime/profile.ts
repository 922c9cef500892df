import { type EffectSeen, effectDrift } from "./effect.ts";
import type { EffectClass } from "./effect-words.ts";
import type { RuntimeFinding } from "./finding.ts";
import { openDestinations, type Reach, reachDrift } from "./reach.ts";
import { type ResponseShape, responseDrift } from "./response.ts";

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

const fewestCalls = 5;
const maxClasses = 64;
const maxDestinations = 256;

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

const isLearned = (
  count: number,
  { since_ms }: ToolProfile,
  { calls, for_ms }: LearningWindow,
  now_ms: number,
): boolean => count >= calls || (count >= fewestCalls && now_ms - since_ms >= for_ms);

export interface Judged {
  readonly profile: ToolProfile;
  /** Empty while it is learned. */
  readonly findings: readonly RuntimeFinding[];
}

const nothing: readonly RuntimeFinding[] = Object.freeze([]);

/** Before the call, on the arguments that will run. */
export const judgeReach = (
  profile: ToolProfile,
  reach: Reach,
  terms: {
    readonly window: LearningWindow;
    readonly now_ms: number;
    readonly allows: (destination: string) => boolean;
  },
): Judged => {
  const destinations = new Set(profile.destinations);
  if (isLearned(profile.calls, profile, terms.window, terms.now_ms)) {
    const isOpen =
      destinations.size >= openDestinations || (destinations.size >= 3 && destinations.size * 2 >= profile.calls);
    return { profile, findings: reachDrift({ destinations, isOpen }, reach, terms.allows) };
  }
  for (const one of reach.destinations) if (destinations.size < maxDestinations) destinations.add(one);
  const learned = { ...profile, calls: profile.calls + 1, destinations: Object.freeze([...destinations].sort()) };
  return { profile: Object.freeze(learned), findings: nothing };
};

/** On the result, before it is delivered. */
export const judgeResult = (
  profile: ToolProfile,
  shape: ResponseShape,
  effect: EffectSeen,
  terms: { readonly window: LearningWindow; readonly now_ms: number },
): Judged => {
  const classes = new Set(profile.response_classes);
  const effects = new Set(profile.effect_classes);
  if (isLearned(profile.results, profile, terms.window, terms.now_ms)) {
    const isOpen = profile.prose_results * 3 >= profile.results;
    const known = { classes, maxCharacters: profile.max_characters, maxItems: profile.max_items, isOpen };
    return { profile, findings: [...responseDrift(known, shape), ...effectDrift({ classes: effects }, effect)] };
  }
  for (const kind of shape.classes) if (classes.size < maxClasses) classes.add(kind);
  for (const kind of effect.classes) effects.add(kind);
  return {
    profile: Object.freeze({
      ...profile,
      results: profile.results + 1,
      response_classes: Object.freeze([...classes].sort()),
      max_characters: Math.max(profile.max_characters, shape.characters),
      max_items: Math.max(profile.max_items, shape.items),
      prose_results: profile.prose_results + (shape.isProse ? 1 : 0),
      effect_classes: Object.freeze([...effects].sort()),
    }),
    findings: nothing,
  };
};
