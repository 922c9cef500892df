// `npx tsx test/detect/embedded/train.ts [--write]`: says how well fitted weights do on what they have not seen; `--write` fits them and keeps them.
import { writeFileSync } from "node:fs";
import { beginning, beginningsOf, neighboursOf } from "../../../rules/packs/injection/embedded/begins.ts";
import { featureNames, featuresOf, surfaceOf } from "../../../rules/packs/injection/embedded/features.ts";
import { segmentsOf } from "../../../rules/packs/injection/embedded/segments.ts";
import { bipia, own } from "./corpus.ts";
import { type Example, fitted } from "./fit.ts";
import { hide, positions } from "./hidden.ts";

type Sentence = { readonly kind: string; readonly text: string };

const segmentExamples = (
  text: string,
  from: number,
  to: number,
): { features: readonly number[]; isTask: boolean; said: string }[] => {
  const surface = surfaceOf(text);
  const segments = segmentsOf(text);
  const beginnings = beginningsOf(surface, segments);
  return segments.flatMap((segment, at) => {
    const isTask = segment.start >= from && segment.end <= to;
    const features =
      ((beginnings[at] as number) & beginning.mayBeTask) !== 0
        ? featuresOf(surface, segment, neighboursOf(beginnings, at))
        : null;
    return features === null ? [] : [{ features, isTask, said: text.slice(segment.start, segment.end) }];
  });
};

const score = (weights: readonly number[], features: readonly number[]): number =>
  1 / (1 + Math.exp(-features.reduce((sum, feature, at) => sum + feature * (weights[at] as number), 0)));

const folds = 5;
/** Hides each sentence in some mails of the fold at each position. */
const hidden = function* (
  attacks: readonly Sentence[],
  mails: readonly Sentence[],
  times: number,
  join: "line" | "space",
) {
  let turn = 7;
  for (const attack of attacks)
    for (let time = 0; time < times; time++)
      for (const position of positions) {
        turn = (turn * 1_103_515_245 + 12_345) % 2_147_483_648;
        const mail = mails[turn % mails.length] as Sentence;
        yield { attack, hidden: hide(attack.text, mail.text, position, join) };
      }
};

/** Examples that look the same as one of their weight. */
const together = (examples: readonly Example[]): Example[] => {
  const merged = new Map<string, Example>();
  for (const example of examples) {
    const key = `${example.isTask} ${example.features.join(" ")}`;
    merged.set(key, { ...example, weight: example.weight + (merged.get(key)?.weight ?? 0) });
  }
  return [...merged.values()];
};

const trainingSet = (attacks: readonly Sentence[], mails: readonly Sentence[]): Example[] => {
  const examples: Example[] = [];
  for (const join of ["line", "space"] as const)
    for (const { hidden: put } of hidden(attacks, mails, 2, join)) {
      const found = segmentExamples(put.text, put.start, put.end).filter(({ isTask }) => isTask);
      for (const { features } of found.slice(0, 1))
        examples.push({ features, isTask: true, weight: join === "line" ? 1 : 0.6 });
    }
  const seen = new Set<string>();
  for (const { text } of mails)
    for (const { features, said } of segmentExamples(text, -1, -1)) {
      if (seen.has(said)) continue;
      seen.add(said);
      examples.push({ features, isTask: false, weight: 3 });
    }
  return together(examples);
};

const best = (weights: readonly number[], text: string): { score: number; said: string } => {
  let top = { score: 0, said: "" };
  for (const { features, said } of segmentExamples(text, -1, -1)) {
    const value = score(weights, features);
    if (value > top.score) top = { score: value, said };
  }
  return top;
};

const corpora = { bipia: bipia(), own: own() };
const allAttacks = [...corpora.bipia.attacks, ...corpora.own.attacks];
const unique = (mails: readonly Sentence[]): Sentence[] => [
  ...new Map(mails.map((mail) => [mail.text, mail])).values(),
];
const mails = [...unique(corpora.bipia.mails), ...unique(corpora.own.mails)];

const cross = (): void => {
  const kinds = [...new Set(allAttacks.map(({ kind }) => kind))];
  const recalls: { set: string; kind: string; text: string; score: number }[] = [];
  for (const [index, kind] of kinds.entries()) {
    const held = mails.filter((_, at) => at % folds === index % folds);
    const weights = fitted(
      trainingSet(
        allAttacks.filter((attack) => attack.kind !== kind),
        mails.filter((_, at) => at % folds !== index % folds),
      ),
    );
    for (const [set, { attacks }] of Object.entries(corpora))
      for (const join of ["line", "space"] as const)
        for (const { attack, hidden: put } of hidden(
          attacks.filter((attack) => attack.kind === kind),
          held,
          2,
          join,
        )) {
          const found = segmentExamples(put.text, put.start, put.end).filter(({ isTask }) => isTask);
          recalls.push({
            set: `${set}/${join}`,
            kind,
            text: attack.text,
            score: Math.max(0, ...found.map(({ features }) => score(weights, features))),
          });
        }
  }
  const tops: { set: string; kind: string; score: number; said: string }[] = [];
  for (let fold = 0; fold < folds; fold++) {
    const weights = fitted(
      trainingSet(
        allAttacks,
        mails.filter((_, at) => at % folds !== fold),
      ),
    );
    for (const [at, mail] of mails.entries())
      if (at % folds === fold)
        tops.push({ set: mail.kind === "mail" ? "bipia" : "own", kind: mail.kind, ...best(weights, mail.text) });
  }
  for (const threshold of [0.3, 0.4, 0.5, 0.6, 0.7, 0.8]) {
    const rate = (set: string) => {
      const of = recalls.filter((recall) => recall.set === set);
      return (of.filter((recall) => recall.score >= threshold).length / of.length).toFixed(3);
    };
    const falsely = (set: string) => {
      const of = tops.filter((top) => top.set === set);
      return (of.filter((top) => top.score >= threshold).length / of.length).toFixed(3);
    };
    console.log(
      `${threshold}: recall ${Object.keys(corpora)
        .flatMap((set) => [`${set}/line`, `${set}/space`])
        .map((set) => `${set} ${rate(set)}`)
        .join(", ")}; held falsely bipia ${falsely("bipia")}, own ${falsely("own")}`,
    );
  }
  const at = Number(process.env.AT ?? 0.6);
  const missed = new Map<string, number>();
  for (const recall of recalls)
    if (recall.score < at)
      missed.set(`${recall.kind}: ${recall.text}`, (missed.get(`${recall.kind}: ${recall.text}`) ?? 0) + 1);
  for (const [text, times] of missed) if (times > 6) console.log(`  missed ${times}x ${text}`);
  for (const top of tops)
    if (top.score >= at) console.log(`  held falsely ${top.score.toFixed(2)} ${top.kind}: ${top.said.slice(0, 150)}`);
};

if (!process.argv.includes("--write")) cross();
const weights = fitted(trainingSet(allAttacks, mails));
for (const [index, name] of featureNames.entries())
  console.log(`${(weights[index] as number).toFixed(2).padStart(7)}  ${name}`);
if (process.argv.includes("--write")) {
  const lines = featureNames.map(
    (name, index) => `  ${JSON.stringify(name)}: ${Number((weights[index] as number).toFixed(2))},`,
  );
  writeFileSync(
    new URL("../../../rules/packs/injection/embedded/weights.ts", import.meta.url),
    `import type { FeatureName } from "./features.ts";\n\n/** Written by test/detect/embedded/train.ts. Their sum for a segment is the log of the odds that it is an assistant's task. */\nexport const weights: Readonly<Record<FeatureName, number>> = Object.freeze({\n${lines.join("\n")}\n});\n`,
  );
}
