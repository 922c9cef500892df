import { type EffectSeen, effectDrift } from "./effect.ts";
import type { RuntimeFinding } from "./finding.ts";
import { openDestinations, type Reach, reachDrift } from "./reach.ts";
import { type ResponseShape, responseDrift } from "./response.ts";
import {
  fewestCalls,
  isLearned,
  type LearningWindow,
  maxClasses,
  maxDestinations,
  type ToolProfile,
} from "./tool-profile.ts";

export interface Judged {
  readonly profile: ToolProfile;
  /** While it is learned only what is critical, and that once there are a few calls to compare with. */
  readonly findings: readonly RuntimeFinding[];
  readonly isLearned: boolean;
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
  const isOpen =
    destinations.size >= openDestinations || (destinations.size >= 3 && destinations.size * 2 >= profile.calls);
  const drift = reachDrift({ destinations, isOpen }, reach, terms.allows);
  if (isLearned(profile.calls, profile, terms.window, terms.now_ms)) {
    return { profile, findings: drift, isLearned: true };
  }
  const critical = profile.calls < fewestCalls ? nothing : drift.filter(isCritical);
  // What is held is not learned.
  if (critical.length > 0) return { profile, findings: critical, isLearned: false };
  for (const one of reach.destinations) if (destinations.size < maxDestinations) destinations.add(one);
  const learned = { ...profile, calls: profile.calls + 1, destinations: Object.freeze([...destinations].sort()) };
  return { profile: Object.freeze(learned), findings: nothing, isLearned: false };
};

const isCritical = ({ severity }: RuntimeFinding): boolean => severity === "critical";

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
    const findings = [...responseDrift(known, shape), ...effectDrift({ classes: effects }, effect)];
    return { profile, findings, isLearned: true };
  }
  const critical =
    profile.results < fewestCalls ? nothing : effectDrift({ classes: effects }, effect).filter(isCritical);
  if (critical.length > 0) return { profile, findings: critical, isLearned: false };
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
    isLearned: false,
  };
};
