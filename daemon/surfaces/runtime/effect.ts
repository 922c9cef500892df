import type { WireValue } from "../../../wire/value.ts";
import { deedToCome, type EffectClass, effectOfWord, effectRank, isTemporal } from "./effect-words.ts";
import type { RuntimeFinding, RuntimeFindingType } from "./finding.ts";

export interface EffectProfile {
  readonly classes: ReadonlySet<EffectClass>;
}

/** What a result says that its call did. */
export interface EffectSeen {
  readonly classes: ReadonlySet<EffectClass>;
  /** Of what is only scheduled: what it will be. */
  readonly toCome: ReadonlySet<EffectClass>;
}

const saying = new Set([
  "status",
  "state",
  "result",
  "outcome",
  "effect",
  "effects",
  "action",
  "operation",
  "event",
  "mode",
]);
const namesDeed = new Set(["type", "kind", "job", "task", "for", ...saying]);
const maxMembers = 200;
const maxSentenceCharacters = 200;
const maxTextCharacters = 400;
/** Larger numbers are times. */
const maxCount = 1_000_000_000;

/**
 * Reads what a result says of its own call: words in `status` and its like, members that are true or a count (`sent: true`, `deleted: 3`), and short
 * sentences. Only outside of lists: what a list's records say of themselves (`status: "refunded"`) is data. `sent_at`, `release_notes` and
 * what is negated are no effects. Of a tool that reads, what it read says what became of that: only a member that is called an effect counts.
 */
export const effectsIn = (result: WireValue, by: "reader" | "doer" = "doer"): EffectSeen => {
  const classes = new Set<EffectClass>();
  const toCome = new Set<EffectClass>();
  if (by === "reader") {
    for (const record of recordsIn(result)) ofEffectMembers(record, classes);
    return { classes, toCome };
  }
  for (const record of recordsIn(result)) ofRecord(record, classes, toCome);
  for (const text of sentencesIn(result)) ofSentence(text, classes, toCome);
  return { classes, toCome };
};

type Fields = { readonly [name: string]: WireValue };

const isFields = (value: WireValue | undefined): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);

/** The result itself, its structured content, and JSON in its only text. */
const recordsIn = (result: WireValue): readonly Fields[] => {
  if (!isFields(result)) return [];
  const inner = [result.structuredContent, result.result, jsonIn(onlyText(result))];
  return [result, ...inner.filter(isFields)];
};

const onlyText = ({ content }: Fields): string => {
  if (!Array.isArray(content) || content.length !== 1) return "";
  const [item] = content;
  return isFields(item) && typeof item.text === "string" ? item.text : "";
};

const maxJsonCharacters = 65_536;

const jsonIn = (text: string): WireValue | undefined => {
  if (text.length > maxJsonCharacters || !/^\s*\{/.test(text)) return undefined;
  try {
    return JSON.parse(text) as WireValue;
  } catch {
    return undefined;
  }
};

const ofRecord = (record: Fields, classes: Set<EffectClass>, toCome: Set<EffectClass>): void => {
  const deeds = new Set<EffectClass>();
  for (const [name, value] of Object.entries(record).slice(0, maxMembers)) {
    const words = wordsOf(name);
    if (typeof value === "string" && words.length === 1 && saying.has(words[0] as string)) {
      for (const word of saidWords(value)) add(effectOfWord.get(word), classes);
    }
    if (typeof value === "string" && words.length === 1 && namesDeed.has(words[0] as string)) {
      for (const word of saidWords(value)) add(deedToCome.get(word), deeds);
    }
    if (value === true || (typeof value === "number" && value > 0 && value < maxCount)) {
      const named = words.at(-1) === "count" ? words.slice(0, -1) : words;
      if (named.length === 1) add(effectOfWord.get(named[0] as string), classes);
      else if (named.join("_") === "dry_run") classes.add("dry_run");
    }
  }
  if ([...classes].some((kind) => isTemporal.has(kind))) for (const deed of deeds) toCome.add(deed);
};

const effectMembers = ["effect", "effects", "side_effect", "side_effects", "sideEffect", "sideEffects"] as const;

const ofEffectMembers = (record: Fields, classes: Set<EffectClass>): void => {
  for (const name of effectMembers) {
    const value = Object.hasOwn(record, name) ? record[name] : undefined;
    const said = Array.isArray(value) ? value.slice(0, maxMembers) : [value];
    for (const one of said) {
      if (typeof one === "string") for (const word of saidWords(one)) add(effectOfWord.get(word), classes);
    }
  }
};

const add = (kind: EffectClass | undefined, to: Set<EffectClass>): void => {
  if (kind !== undefined) to.add(kind);
};

/** A value of one to four words that does not say no. */
const saidWords = (value: string): readonly string[] => {
  if (value.length > 64) return [];
  const words = wordsOf(value);
  return words.length > 4 || words.some((word) => negations.has(word)) ? [] : [...words, words.join("_")];
};

const negations = new Set(
  "not no never nothing none without cannot cant wont didnt doesnt isnt wasnt werent failed fails fail unable would could should may might can will error skipped unsent undelivered cancelled canceled before if unless until".split(
    " ",
  ),
);

const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/['’]/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

const sentencesIn = (result: WireValue): readonly string[] => {
  const text = typeof result === "string" ? result : isFields(result) ? onlyText(result) : "";
  if (text === "" || text.length > maxTextCharacters || /^\s*[[{]/.test(text)) return [];
  return text
    .split(/[.!?;\n]+/)
    .filter((sentence) => sentence.trim() !== "" && sentence.length <= maxSentenceCharacters);
};

const openers = new Set(["successfully", "ok", "done", "success", "now", "just", "already"]);
const auxiliaries = new Set(["has", "have", "was", "were", "been", "is", "are", "got", "successfully", "now"]);
const future = new Set(["for", "to"]);

/** `Sent 3 mails`, `The mail was sent`, `Queued for deletion`: the deed is the first word, or follows an auxiliary. */
const ofSentence = (sentence: string, classes: Set<EffectClass>, toCome: Set<EffectClass>): void => {
  const words = wordsOf(sentence);
  if (words.some((word) => negations.has(word))) return;
  const start = words.findIndex((word) => !openers.has(word));
  for (const [at, word] of words.entries()) {
    const isSaid = at === start || auxiliaries.has(words[at - 1] ?? "");
    const kind = isSaid ? effectOfWord.get(word) : undefined;
    if (kind === undefined) continue;
    classes.add(kind);
    if (!isTemporal.has(kind)) continue;
    const rest = words.slice(at + 1, at + 6);
    if (future.has(rest[0] ?? "")) for (const deed of rest) add(deedToCome.get(deed) ?? effectOfWord.get(deed), toCome);
  }
};

const safe = new Set<EffectClass>(["no_effect", "read", "preview", "dry_run", "plan"]);

type Group = "external" | "destructive" | "deploy" | "execution" | "money_movement";
const groups: readonly (readonly [Group, readonly EffectClass[]])[] = [
  ["external", ["sent", "published", "submitted", "external_send"]],
  ["destructive", ["deleted", "destroyed"]],
  ["deploy", ["deployed", "released"]],
  ["execution", ["executed"]],
  ["money_movement", ["charged", "refunded", "transferred", "money_movement"]],
];

/** What is new of an effect. Nothing where the profile says nothing: a tool that never told what it does cannot contradict itself. */
export const effectDrift = ({ classes }: EffectProfile, seen: EffectSeen): readonly RuntimeFinding[] => {
  if (classes.size === 0 || seen.classes.size === 0) return [];
  const rank = rankOf(classes);
  const now = rankOf(seen.classes);
  if ([...classes].every((kind) => safe.has(kind))) return afterPreview(seen);
  if (now > rank && groups.some(([, kinds]) => kinds.some((kind) => seen.classes.has(kind) && !classes.has(kind))))
    return [finding("effect_critical_escalation", "critical")];
  return rank >= 3 && now <= 1 ? [finding("effect_regression", "moderate")] : [];
};

const afterPreview = ({ classes, toCome }: EffectSeen): readonly RuntimeFinding[] => {
  const found: RuntimeFinding[] = [];
  const temporal = [...classes].some((kind) => isTemporal.has(kind));
  for (const [group, kinds] of groups) {
    if (kinds.some((kind) => classes.has(kind))) found.push(finding(afterPreviewOf[group], "critical"));
    else if (temporal && kinds.some((kind) => toCome.has(kind))) found.push(finding(laterOf[group], "critical"));
  }
  if (found.length > 0) return found;
  if (temporal) return [finding("effect_temporal_action_after_preview", "high")];
  return rankOf(classes) >= 2 ? [finding("effect_mutation_after_preview", "high")] : [];
};

const rankOf = (classes: ReadonlySet<EffectClass>): number =>
  Math.max(0, ...[...classes].map((kind) => effectRank[kind]));

const afterPreviewOf: Readonly<Record<Group, RuntimeFindingType>> = {
  external: "effect_external_send_after_preview",
  destructive: "effect_destructive_after_preview",
  deploy: "effect_deploy_after_preview",
  execution: "effect_execution_after_preview",
  money_movement: "effect_money_movement_after_preview",
};

const laterOf: Readonly<Record<Group, RuntimeFindingType>> = {
  external: "effect_temporal_external_after_preview",
  destructive: "effect_temporal_destructive_after_preview",
  deploy: "effect_temporal_deploy_after_preview",
  execution: "effect_temporal_execution_after_preview",
  money_movement: "effect_temporal_money_movement_after_preview",
};

const finding = (type: RuntimeFindingType, severity: RuntimeFinding["severity"]): RuntimeFinding => ({
  type,
  severity,
  reason: reasonOf[type] ?? "its results say that it does something else now",
});

const reasonOf: Readonly<Partial<Record<RuntimeFindingType, string>>> = {
  effect_critical_escalation: "its results say that it does more now than they ever did",
  effect_regression: "its results say that it no longer does what it did",
  effect_mutation_after_preview: "it only previewed, and its result says that it changed something",
  effect_temporal_action_after_preview: "it only previewed, and its result says that something is to come",
};
