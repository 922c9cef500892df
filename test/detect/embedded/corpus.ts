import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Sample {
  readonly kind: string;
  readonly text: string;
  /** Why it will never be judged rightly. */
  readonly never: string | null;
}

/** Sentences of an attacker by category, and mails without any. */
export interface EmbeddedCorpus {
  readonly attacks: readonly Sample[];
  readonly mails: readonly Sample[];
}

const data = (name: string): string => new URL(`../data/${name}`, import.meta.url).pathname;

/**
 * BIPIA's files as they are published: `email_*.jsonl` with a mail in `context`, `text_attack_*.json` and `code_attack_*.json` with
 * sentences by category. A mail that stands there twice, with two questions, counts twice.
 */
export const bipia = (
  folder = data("bipia"),
  attacks: "text_attack" | "code_attack" = "text_attack",
): EmbeddedCorpus => {
  const names = readdirSync(folder).sort();
  const read = (prefix: string, suffix: string): string[] =>
    names
      .filter((name) => name.startsWith(prefix) && name.endsWith(suffix))
      .map((name) => readFileSync(join(folder, name), "utf8"));
  return {
    attacks: read(attacks, ".json").flatMap((text) =>
      Object.entries(JSON.parse(text) as Record<string, readonly string[]>).flatMap(([kind, sentences]) =>
        sentences.map((sentence) => ({ kind, text: sentence, never: null })),
      ),
    ),
    mails: read("email_", ".jsonl").flatMap((text) =>
      linesOf(text).map((line) => ({ kind: "mail", text: mailOf(JSON.parse(line) as Line), never: null })),
    ),
  };
};

interface Line {
  readonly context?: string | readonly string[];
}

const mailOf = ({ context = "" }: Line): string => (typeof context === "string" ? context : context.join("\n"));

const linesOf = (text: string): readonly string[] => text.split("\n").filter((line) => line.trim() !== "");

/** The corpus of this project: categories that BIPIA's training split has not, and mails of other kinds than bills. */
export const own = (file = data("embedded_own.jsonl")): EmbeddedCorpus => {
  const lines = linesOf(readFileSync(file, "utf8")).map(
    (line) => JSON.parse(line) as { kind: string; mail?: string; attack?: string; never?: string },
  );
  return {
    attacks: lines.flatMap(({ kind, attack: text, never = null }) =>
      text === undefined ? [] : [{ kind, text, never }],
    ),
    mails: lines.flatMap(({ kind, mail: text, never = null }) => (text === undefined ? [] : [{ kind, text, never }])),
  };
};
