import type { Directory } from "../../shell/directories.ts";
import type { FileEffect } from "../../shell/effect.ts";
import { archivePrograms } from "../../shell/effects/archives.ts";
import { readingPrograms } from "../../shell/effects/reading.ts";
import { writingPrograms } from "../../shell/effects/writing.ts";
import type { Command, Script } from "../../shell/script.ts";

/** A word of a command that may name a file, though nobody knows what its program does with it. */
export interface LooseWord {
  readonly text: string;
  readonly directories: readonly Directory[];
}

/** Programs whose words are told apart by their effects, or are no files: what `echo` prints, what `git` names in its history. */
const told: ReadonlySet<string> = new Set([
  ...Object.keys(readingPrograms),
  ...Object.keys(writingPrograms),
  ...Object.keys(archivePrograms),
  ...[
    "echo",
    "printf",
    "test",
    "[",
    "[[",
    "cd",
    "pushd",
    "popd",
    "export",
    "declare",
    "local",
    "readonly",
    "alias",
    "unset",
    "set",
  ],
  ...[
    "git",
    "gh",
    "glab",
    "find",
    "gfind",
    "fd",
    "fdfind",
    "which",
    "type",
    "command",
    "env",
    "sudo",
    "xargs",
    "time",
    "timeout",
    "nice",
  ],
  ...[
    "curl",
    "wget",
    "scp",
    "rsync",
    "ssh",
    "sftp",
    "true",
    "false",
    ":",
    "sleep",
    "date",
    "basename",
    "dirname",
    "read",
    "npm",
    "man",
    "expr",
    "seq",
  ],
]);

/** Words of programs that no effect tells of. A value behind `=`, `:` or `@` is one of its own. */
export const looseWords = ({ commands }: Script): readonly LooseWord[] =>
  commands.flatMap((command) =>
    told.has(command.name) ? [] : command.args.flatMap(({ text }) => piecesOf(text, command)).slice(0, maxWords),
  );

const maxWords = 256;

const piecesOf = (text: string, { directories }: Command): readonly LooseWord[] => {
  if (text.length > 4_096 || /[\s(){};]/.test(text.trim())) return [];
  const pieces = /[=:@]/.test(text)
    ? [text, ...text.split(/[=:@]/).slice(1), text.slice(text.indexOf("=") + 1)]
    : [text];
  return pieces.filter((piece) => piece !== "").map((piece) => ({ text: piece, directories }));
};

/** Interpreters that are given a program as a word. */
const interpreters =
  /^(?:python[\d.]*|pypy3?|node|nodejs|deno|bun|tsx|ts-node|perl|ruby|php|lua|osascript|rscript|julia|groovy|awk|gawk|mawk|psql|sqlite3)$/;
const maxLiterals = 64;

/** Texts in quotes in a program of another language that a command holds: `python -c 'open("/etc/shadow")'`. */
export const codeLiterals = ({ commands }: Script): readonly LooseWord[] =>
  commands.flatMap(({ name, args, directories }) =>
    interpreters.test(name) ? args.flatMap(({ text }) => literalsIn(text)).map((text) => ({ text, directories })) : [],
  );

const literalsIn = (code: string): readonly string[] => {
  if (!/["'`]/.test(code) || code.length > 16_384) return [];
  const found: string[] = [];
  for (let at = 0; at < code.length && found.length < maxLiterals; at++) {
    const quote = code[at] as string;
    if (quote !== '"' && quote !== "'" && quote !== "`") continue;
    const end = code.indexOf(quote, at + 1);
    if (end < 0) break;
    const text = code.slice(at + 1, end);
    if (text.length > 2 && text.length <= 4_096 && !/[\s;]/.test(text)) found.push(text);
    at = end;
  }
  return found;
};

/** `cp .env.example .env` makes a file of what anybody may read. */
export const isFromSample = (effect: FileEffect, effects: readonly FileEffect[]): boolean => {
  if (effect.kind !== "writes" || (effect.program !== "cp" && effect.program !== "install")) return false;
  const name = nameOf(effect.path.text);
  const sources = effects.filter(({ kind, program }) => kind === "reads" && program === effect.program);
  return (
    sources.length === 1 &&
    sources.every(
      ({ path }) =>
        nameOf(path.text) !== name &&
        /[._-](?:example|sample|template|dist|tpl)$/.test(path.text) &&
        nameOf(path.text).startsWith(name),
    )
  );
};

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
