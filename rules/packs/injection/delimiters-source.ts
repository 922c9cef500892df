import type { Passage, Signal, SignalSource } from "./signal.ts";

interface Delimiter {
  readonly literal: string;
  readonly form: RegExp;
  readonly weight: number;
}

/** What models are trained to read as the borders of turns. A page that shows one of them in a line of code is not an attack yet. */
const delimiters: readonly Delimiter[] = [
  {
    literal: "<|",
    form: /<\|(?:im_start|start_header_id)\|>\s{0,4}(?:system|user|assistant|developer)/gi,
    weight: 0.65,
  },
  {
    literal: "<|",
    form: /<\|(?:system|user|assistant|im_start|im_end|im_sep|end|endoftext|endofprompt|eot_id|end_of_turn|begin_of_text)\|>/gi,
    weight: 0.4,
  },
  { literal: "[/INST]", form: /\[\/INST\]/g, weight: 0.5 },
  { literal: "[INST]", form: /\[INST\]/g, weight: 0.5 },
  { literal: "<<SYS>>", form: /<<SYS>>/g, weight: 0.6 },
  { literal: "_of_turn>", form: /<(?:start|end)_of_turn>/g, weight: 0.5 },
  { literal: "###", form: /(?:^|\n)\s{0,4}#{3,4} ?(?:system|instruction|assistant|human|user) ?:/gi, weight: 0.45 },
  {
    literal: "</",
    form: /<\/(?:system|instructions?|user_input|untrusted|document|context|tool_result|function_results)>\s{0,8}(?:\n|<(?:system|instructions?|assistant)>)/gi,
    weight: 0.45,
  },
];

const turn = /(?:^|\n)[ \t>*_-]{0,8}(human|user|q|assistant|ai|bot|a) ?:(?: |$)/gi;
/** One of these is in every text with turns. */
const answering = ["ssistant: ", "SSISTANT: ", "ssistant : ", "AI: ", "AI : ", "ot: ", "BOT: ", "A: ", "A : "];
/** Turns that leave the answer to whoever reads on. */
const openTurn = /(?:^|\n)[ \t>*_-]{0,8}(?:assistant|ai|bot|a) ?:\s{0,8}$/i;
const openCharacters = 32;
const turnsOfExample = 6;
/** Alternating turns: few are a transcript, many are meant to teach a model how it answers. */
const turnsOfTranscript = 8;
const turnsOfManyShots = 24;

export const delimitersSource: SignalSource = Object.freeze({
  id: "delimiters",
  signals: ({ text }: Passage) =>
    hint.test(text)
      ? [
          ...delimiters.flatMap(({ literal, form, weight }) =>
            text.includes(literal) ? matchesOf(text, form, weight) : [],
          ),
          ...manyShots(text),
          ...pictures(text),
        ]
      : none,
});

/** Every form here has one of these: a border, a label, a picture. */
const hint = /[<[#:]/;
const none: readonly Signal[] = Object.freeze([]);

/** A picture is loaded by whoever shows the text: a query that stands for data sends it without anybody's doing. */
const picture =
  /!\[[^\]\n]{0,200}\]\(\s{0,4}(?:https?:)?\/\/[^\s)?]{1,500}\?[^\s)=]{0,100}=(?:[{[<$]|%7B|(?!YOUR)[A-Z][A-Z0-9_-]{4,}|[A-Za-z0-9+/_-]{64})/g;

const pictures = (text: string): readonly Signal[] =>
  text.includes("![")
    ? Array.from(text.matchAll(picture), ({ 0: found, index }) => ({
        class: "exfiltration" as const,
        start: index,
        end: index + found.length,
        weight: 0.55,
      }))
    : [];

const most = 200;

const matchesOf = (text: string, form: RegExp, weight: number): readonly Signal[] => {
  const signals: Signal[] = [];
  for (const { 0: found, index } of text.matchAll(form)) {
    signals.push({ class: "role_marker", start: index, end: index + found.length, weight });
    if (signals.length >= most) break;
  }
  return signals;
};

const manyShots = (text: string): readonly Signal[] => {
  if (!answering.some((label) => text.includes(label))) return [];
  let turns = 0;
  let before = "";
  let start = -1;
  let end = 0;
  for (const { 0: found, 1: who = "", index } of text.matchAll(turn)) {
    const side = /^(?:human|user|q)$/i.test(who) ? "asks" : "answers";
    if (side === before) continue;
    before = side;
    turns++;
    if (start < 0) start = index;
    end = index + found.length;
  }
  const isLeftOpen = turns >= turnsOfExample && before === "answers" && openTurn.test(text.slice(-openCharacters));
  if (isLeftOpen) return [{ class: "role_marker", start, end, weight: 0.5 }];
  if (turns < turnsOfTranscript) return [];
  return [{ class: "role_marker", start, end, weight: turns >= turnsOfManyShots ? 0.6 : 0.3 }];
};
