import { block, escalate } from "../../answers.ts";
import type { BlockAnswer, EscalateAnswer } from "../../types.ts";
import { type CodeHarm, codeHarms, evaluatedTexts } from "./harms.ts";
import { type Program, TooLarge } from "./program.ts";
import { readProgram } from "./read-program.ts";

export interface CodeOptions {
  /** What becomes of a program that starts other programs, loads pickles or native code, or runs text that it makes. */
  readonly processes: "block" | "escalate";
  /** What becomes of a program that uses the network, and does nothing else that is held. */
  readonly network: "pass" | "escalate";
  /** What becomes of a program that opens files, and does nothing else that is held. */
  readonly files: "pass" | "escalate";
}

export type CodeAnswer = BlockAnswer | EscalateAnswer;

const reasons: Readonly<Record<CodeHarm, string>> = {
  escape: "the program walks from an object to what its sandbox keeps from it",
  reverse_shell: "the program ties a shell to a connection",
  sends: "the program sends away what it reads of this machine",
  sends_facts: "the program sends facts of this machine or of its people away",
  sends_files: "the program sends files away",
  spying: "the program reads cookies, keys or the screen",
  environment: "the program shows the environment or secrets in it",
  secret_file: "the program opens a file of credentials",
  deletes: "the program deletes, replaces or opens up files of the system",
  bomb: "the program takes memory or processors without an end",
  dynamic: "the program runs text that it makes",
  computed_import: "the program loads a module whose name it makes",
  process: "the program starts another program",
  unpickle: "the program loads objects that run code when they are loaded",
  native: "the program calls native code",
  signal: "the program ends or signals processes",
  downloads: "the program downloads a program",
  metadata: "the program reaches the credentials of the machine (cloud metadata)",
  inside: "the program reaches into the private network",
  collector: "the program reaches a service that shows its owner whatever comes",
  network: "the program uses the network",
  files: "the program opens files",
};

const stopped: readonly CodeHarm[] = [
  "escape",
  "reverse_shell",
  "sends",
  "environment",
  "secret_file",
  "deletes",
  "metadata",
  "bomb",
];
const asked: readonly CodeHarm[] = [
  "dynamic",
  "computed_import",
  "process",
  "unpickle",
  "native",
  "signal",
  "downloads",
  "inside",
  "collector",
];

/** Programs come again and again while an agent mends them: answers are kept up to this many characters of programs. */
const maxKept = 524_288;
const known = new Map<string, ReadonlySet<CodeHarm> | null>();
let kept = 0;

/** What is said of a program; undefined for nothing. */
export const judgeProgram = async (
  text: string,
  language: Program["language"] | null,
  place: string,
  options: CodeOptions,
): Promise<CodeAnswer | undefined> => {
  const harms = await harmsOf(text, language);
  const attributed = { attributedTo: place };
  if (harms === null) return escalate("the program is longer than is read", attributed);
  const worst = stopped.find((harm) => harms.has(harm));
  if (worst !== undefined) return block(reasons[worst], attributed);
  const doubtful = asked.find((harm) => harms.has(harm));
  if (doubtful !== undefined)
    return options.processes === "block"
      ? block(reasons[doubtful], attributed)
      : escalate(reasons[doubtful], attributed);
  if (harms.has("sends_facts")) return escalate(reasons.sends_facts, attributed);
  if (options.network === "escalate" && harms.has("sends_files")) return escalate(reasons.sends_files, attributed);
  if (options.network === "escalate" && harms.has("network")) return escalate(reasons.network, attributed);
  return options.files === "escalate" && harms.has("files") ? escalate(reasons.files, attributed) : undefined;
};

/** Null: too long, or too deep, to be read. */
const harmsOf = async (text: string, language: Program["language"] | null): Promise<ReadonlySet<CodeHarm> | null> => {
  const key = `${language ?? ""}\n${text}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const harms = await read(text, language);
  if (kept > maxKept) {
    known.clear();
    kept = 0;
  }
  known.set(key, harms);
  kept += key.length;
  return harms;
};

/** Texts that a program hands to eval are looked at one level deep, and no more of them than this. */
const maxEvaluated = 8;

const read = async (text: string, language: Program["language"] | null): Promise<ReadonlySet<CodeHarm> | null> => {
  const own = magics(text);
  try {
    const first = await readProgram(own.text, language ?? "python");
    const harms = new Set(codeHarms(first));
    // Not said which, and not without errors in the one: what either makes of it counts.
    if (language === null && first.errors > 0)
      for (const harm of codeHarms(await readProgram(own.text, "javascript"))) harms.add(harm);
    for (const inner of evaluatedTexts(first).slice(0, maxEvaluated)) {
      const program = await readProgram(inner, first.language);
      for (const harm of codeHarms(program)) harms.add(harm);
      // Who asks for these through a text means that nobody should see it: `new Function("return process")()`.
      if (["process", "require", "globalThis", "global"].some((name) => program.names.has(name))) harms.add("dynamic");
    }
    if (own.runs) harms.add("process");
    return harms;
  } catch (error) {
    if (error instanceof TooLarge) return null;
    throw error;
  }
};

/** Lines of a notebook that a shell runs; those that install and look are daily work. */
const magics = (text: string): { readonly text: string; readonly runs: boolean } => {
  if (!/^[ \t]{0,64}[!%]/m.test(text)) return { text, runs: false };
  let runs = false;
  const lines = text.split("\n").map((line) => {
    const shell = /^[ \t]{0,64}(?:!|%%?(?:bash|sh|system|sx|script)\b)(.{0,512})/.exec(line);
    if (
      shell !== null &&
      !/^\s{0,8}(?:pip3?|conda|uv|ls|pwd|python3? --version|head|wc|nvidia-smi)\b[^;&|`$<>]{0,512}$/.test(
        shell[1] ?? "",
      )
    )
      runs = true;
    return /^[ \t]{0,64}[!%]/.test(line) ? "" : line;
  });
  return { text: lines.join("\n"), runs };
};
