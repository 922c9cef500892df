import type { Finding } from "../finding.ts";
import type { SurfaceItem } from "../surface.ts";
import { type ItemText, itemTexts } from "./item-texts.ts";
import { effectsOfName, hasAny } from "./metadata/effects.ts";
import { textEffects } from "./metadata/text-effects.ts";
import { shownPath } from "./names/shown.ts";
import { wordSet } from "./names/words.ts";
import { isObject, own } from "./schema/document.ts";
import type { Neighbours } from "./server-words.ts";
import { addressOf } from "./text/addresses.ts";
import type { TextContext } from "./text/context.ts";
import { judgeText } from "./text/judge.ts";
import { KnownText } from "./text/known-text.ts";
import type { Sentence } from "./text/sentence.ts";
import { tagSigns } from "./text/signs/defiance.ts";
import { hiddenKinds, hiddenSigns, mixedSigns, mixesScriptsInWords } from "./text/signs/hidden.ts";
import { injectionSigns, knownSignals } from "./text/signs/injection.ts";
import { weakNouns } from "./text/signs/secrets.ts";
import { tokensIn } from "./text/token.ts";
import { secretNouns, sessionNouns } from "./text/vocabulary.ts";

/** What the texts of an item do that the approved ones did not, each with the place where it stands. */
export const textFindings = (
  approved: SurfaceItem | null,
  observed: SurfaceItem,
  neighbours: Neighbours,
): readonly Finding[] => {
  const before = approved === null ? [] : itemTexts(approved.definition).texts;
  const after = itemTexts(observed.definition);
  const knownTexts = new Set(before.map(({ text }) => text));
  const changed = after.texts.filter(({ text }) => !knownTexts.has(text));
  const findings: Finding[] = after.isCutShort
    ? [
        {
          type: "hostile_definition",
          severity: "critical",
          path: null,
          reason: "the definition is too large to be judged",
          relation: null,
        },
      ]
    : [];
  if (changed.length === 0) return findings;
  const context = contextOf(approved, observed, before, neighbours);
  const knownHidden = new Set(before.flatMap(({ text }) => [...hiddenKinds(text)]));
  const knowsMixed = before.some(({ text }) => mixesScriptsInWords(text));
  let signals: ReadonlySet<string> | null = null;
  const known = (): ReadonlySet<string> => {
    signals ??= knownSignals(knownTexts);
    return signals;
  };
  const sentences: Sentence[] = [];
  for (const { path, text, role } of changed) {
    const judged = judgeText(text, role, fieldAt(path), context);
    sentences.push(...judged.sentences);
    const signs = [
      ...hiddenSigns(text, knownHidden),
      ...tagSigns(text, knownTexts),
      ...mixedSigns(text, knowsMixed),
      ...(role === "link" ? [] : injectionSigns(text, known)),
      ...judged.signs,
    ];
    for (const { type, severity, reason } of signs)
      findings.push({ type, severity, path: shownPath(path), reason, relation: null });
  }
  findings.push(...together(sentences), ...textEffects(approved, observed, context, changed));
  return findings;
};

/** A tool that says so runs programs; one that runs "tasks" may not. */
const programs = ["shell", "command", "commands", "bash", "terminal", "scripts", "code"];

/** The property whose description, default or example it is. */
const fieldAt = (path: string): string => /\.properties\.([^.]+)(?!.*\.properties\.)/.exec(path.slice(-512))?.[1] ?? "";

const none = (): ReadonlySet<string> => new Set();

const contextOf = (
  approved: SurfaceItem | null,
  observed: SurfaceItem,
  before: readonly ItemText[],
  neighbours: Neighbours,
): TextContext => {
  const known = new KnownText();
  const knownHosts = new Set<string>();
  let knowsSecrets = false;
  for (const { text } of before) {
    const tokens = tokensIn(text);
    known.add(tokens);
    for (const token of tokens) {
      const address = token.kind === "word" ? null : addressOf(token, none, true);
      if (address !== null) knownHosts.add(address.host);
      knowsSecrets ||= secretNouns.has(token.text) || /^(?:keys?|tokens?|secrets?|cookies?)$/.test(token.text);
    }
  }
  const effects = effectsOfName((approved ?? observed).name);
  return {
    isNewItem: approved === null,
    known,
    knownHosts,
    knowsSecrets,
    ownWords: neighbours.ownWords,
    tools: neighbours.tools,
    ownName: observed.name.toLowerCase(),
    parameters: new Set([...parametersOf(approved), ...parametersOf(observed)]),
    isSender: hasAny(effects, new Set(["message", "share", "export"])),
    isReader: effects.has("read") && effects.size === 1,
    isRunner: programs.some((word) => known.words.has(word)),
  };
};

const parametersOf = (item: SurfaceItem | null): readonly string[] => {
  const schema = item === null ? undefined : own(item.definition, "inputSchema");
  const properties = isObject(schema) ? own(schema, "properties") : undefined;
  return isObject(properties) ? Object.keys(properties).map((name) => name.toLowerCase()) : [];
};

/** What only looks like a secret in tools for secrets says nothing about two texts together. */
const strong = (one: Sentence) => one.runs(secretNouns).filter(({ run }) => !weakNouns.has(run));

/** What was named before. */
const taken = wordSet("it them this that these those value values contents result results found above");

/** An order that is split: one text names what is wanted, another has it handed over. */
const together = (sentences: readonly Sentence[]): readonly Finding[] => {
  const names = sentences.filter((one) =>
    [...strong(one), ...one.runs(sessionNouns)].some(({ at, to }) => one.isNew(at, to) && !one.isNegated(at)),
  );
  if (names.length === 0) return [];
  const moves = sentences.some(
    (one) =>
      !names.includes(one) &&
      [...one.verbs("send"), ...one.verbs("put")].some((at) => one.isNew(at) && one.has(taken, at + 1, at + 6)),
  );
  const isAsked = names.some((one) =>
    [...strong(one), ...one.runs(sessionNouns)].some(({ at }) =>
      one.verbs("read").some((verb) => verb < at && at - verb <= 8),
    ),
  );
  if (!moves || !isAsked) return [];
  return [
    {
      type: "description_exfiltration",
      severity: "high",
      path: null,
      reason: "new texts together have something private handed over",
      relation: null,
    },
  ];
};
