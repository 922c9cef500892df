import type { Token } from "./token.ts";
import {
  callVerbs,
  dataNouns,
  doubled,
  negations,
  putVerbs,
  readVerbs,
  sendVerbs,
  weakSendVerbs,
} from "./vocabulary.ts";

/** How many words before a verb a negation may stand. */
const reach = 4;

export type VerbKind = "call" | "put" | "read" | "send" | "weakSend";

const kinds: readonly (readonly [VerbKind, ReadonlySet<string>])[] = [
  ["send", sendVerbs],
  ["weakSend", weakSendVerbs],
  ["put", putVerbs],
  ["read", readVerbs],
  ["call", callVerbs],
];

/** Words that are nouns more often than verbs: they count where something follows that can be sent. */
const nouns: ReadonlySet<string> = new Set(
  "access accesses forward relay post posts email emails mail mails push export exports mirror mirrors tunnel stream streams duplicate duplicates cc beacon leak copy copies report reports share shares store stores log logs record records back ping attach shipping hand route routes backup backups archive archives file scan query queries look text transmit".split(
    " ",
  ),
);
/** "sends no data". */
const nothing: ReadonlySet<string> = new Set(["no", "nothing", "none", "neither"]);
const determiners: ReadonlySet<string> = new Set(
  "the all every each a an it them this that these those any your their its his her user's users whole entire full complete to up".split(
    " ",
  ),
);

/** One sentence of a text, with what of it is new. */
export class Sentence {
  readonly tokens: readonly Token[];
  readonly #isNew: Uint8Array;
  readonly hasNew: boolean;
  readonly #verbs = new Map<VerbKind, readonly number[]>();

  constructor(tokens: readonly Token[], isNew: Uint8Array) {
    this.tokens = tokens;
    this.#isNew = isNew;
    this.hasNew = isNew.includes(1);
  }

  word(at: number): string {
    return this.tokens[at]?.text ?? "";
  }

  isNew(from: number, to = from + 1): boolean {
    for (let at = Math.max(0, from); at < Math.min(to, this.tokens.length); at++)
      if (this.#isNew[at] === 1) return true;
    return false;
  }

  /** Places of verbs of a kind that nothing negates. */
  verbs(kind: VerbKind): readonly number[] {
    const before = this.#verbs.get(kind);
    if (before !== undefined) return before;
    const words = kinds.find(([one]) => one === kind)![1];
    const found: number[] = [];
    for (const [at, { text, kind: of }] of this.tokens.entries())
      if (of === "word" && words.has(text) && !this.isNegated(at) && (!nouns.has(text) || this.#takesAnObject(at)))
        found.push(at);
    this.#verbs.set(kind, found);
    return found;
  }

  hasVerb(...wanted: readonly VerbKind[]): boolean {
    return wanted.some((kind) => this.verbs(kind).length > 0);
  }

  #takesAnObject(at: number): boolean {
    const next = this.word(at + 1);
    return determiners.has(next) || dataNouns.has(next) || (this.tokens[at + 1]?.kind ?? "word") !== "word";
  }

  /** "do not send", and not "do not forget to send". */
  isNegated(at: number): boolean {
    if (nothing.has(this.word(at + 1))) return true;
    for (let before = at - 1; before >= Math.max(0, at - reach); before--) {
      if (doubled.has(this.word(before))) return false;
      if (negations.has(this.word(before))) return !this.tokens.slice(before, at).some(({ text }) => doubled.has(text));
    }
    return false;
  }

  has(words: ReadonlySet<string>, from = 0, to = this.tokens.length): boolean {
    return this.find(words, from, to) >= 0;
  }

  /** The first word of a set in a stretch; -1 where there is none. */
  find(words: ReadonlySet<string>, from = 0, to = this.tokens.length): number {
    for (let at = Math.max(0, from); at < Math.min(to, this.tokens.length); at++)
      if (words.has(this.word(at))) return at;
    return -1;
  }

  /** Where one of the runs of words (`ssh_key`, `bcc`) stands, the longest first. */
  runs(wanted: ReadonlySet<string>): readonly { readonly at: number; readonly to: number; readonly run: string }[] {
    const found: { at: number; to: number; run: string }[] = [];
    const firsts = firstWords(wanted);
    for (let at = 0; at < this.tokens.length; at++) {
      if (!firsts.has(this.word(at))) continue;
      let run = "";
      let best: { at: number; to: number; run: string } | null = null;
      for (let to = at; to < Math.min(this.tokens.length, at + 4); to++) {
        run = to === at ? this.word(to) : `${run}_${this.word(to)}`;
        if (wanted.has(run)) best = { at, to: to + 1, run };
      }
      if (best !== null) found.push(best);
    }
    return found;
  }
}

const firstWordsOf = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>();

/** What the runs of a set begin with, with and without what is joined to it: most words begin none. */
const firstWords = (runs: ReadonlySet<string>): ReadonlySet<string> => {
  const before = firstWordsOf.get(runs);
  if (before !== undefined) return before;
  const firsts = new Set([...runs].flatMap((run) => [run, run.split("_", 1)[0]!]));
  firstWordsOf.set(runs, firsts);
  return firsts;
};

export const sentencesOf = (tokens: readonly Token[], isNew: Uint8Array): readonly Sentence[] => {
  const sentences: Sentence[] = [];
  let from = 0;
  for (let at = 1; at <= tokens.length; at++) {
    if (at < tokens.length && tokens[at]!.sentence === tokens[from]!.sentence) continue;
    sentences.push(new Sentence(tokens.slice(from, at), isNew.subarray(from, at)));
    from = at;
  }
  return sentences;
};
