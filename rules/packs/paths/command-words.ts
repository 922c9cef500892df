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
    "ssh-add",
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
    command.elsewhere
      ? []
      : told.has(command.name)
        ? ownWords(command)
        : command.args.flatMap(({ text }) => piecesOf(text, command)).slice(0, maxWords),
  );

const maxWords = 256;

/** Words of told programs that their effects do not tell: `git show HEAD:.env`, `xargs -a FILE`. */
const ownWords = ({ name, args, directories }: Command): readonly LooseWord[] => {
  const texts = args.map(({ text }) => text);
  if (name === "git" && texts.some((text) => text === "show" || text === "cat-file" || text === "archive"))
    return texts
      .filter((text) => text.includes(":"))
      .map((text) => ({ text: text.slice(text.indexOf(":") + 1), directories }));
  if (name === "xargs")
    return texts
      .filter((_, at) => /^(?:-a|--arg-file)$/.test(texts[at - 1] ?? ""))
      .map((text) => ({ text, directories }));
  return [];
};

/** Words of a text as a shell of Windows has them, where it names a path as Windows does; the shell of Unix reads its backslashes as escapes. */
export const windowsWords = (text: string): readonly string[] =>
  /[A-Za-z]:\\|\\\.|%[A-Za-z]{1,32}%\\|\$env:/i.test(text) && text.length <= 16_384 ? wordsBetween(text) : [];

const wordsBetween = (text: string): readonly string[] =>
  text.split(/[\s"'`;|&()<>,]/, maxWords).filter((word) => word.length > 2);

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
/** As many as a command of the longest that is read can hold, of more than two letters. */
const maxLiterals = 4_096;

/** Texts in quotes in a program of another language that a command holds: `python -c 'open("/etc/shadow")'`. */
export const codeLiterals = ({ commands, foreign }: Script): readonly LooseWord[] => [
  ...commands.flatMap(({ name, args, input, directories }) =>
    interpreters.test(name)
      ? [...args, ...(input === null ? [] : [input])]
          .flatMap(({ text }) => literalsIn(text))
          .map((text) => ({ text, directories }))
      : [],
  ),
  // Shells of Windows are not parsed here: what stands between white space and quotes is looked at.
  ...foreign.flatMap(({ text }) => wordsBetween(text ?? "")).map((text) => ({ text, directories: [null] })),
];

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
  if (effect.kind !== "writes" || !/^(?:cp|mv|install)$/.test(effect.program)) return false;
  if (!nameOf(effect.path.text).startsWith(".env")) return false;
  const sources = effects.filter(({ kind, program }) => kind === "reads" && program === effect.program);
  return sources.length === 1 && sources.every(({ path }) => sample.test(nameOf(path.text)));
};

const sample = /^\.?env[\w.-]{0,64}[._-](?:example|sample|template|dist|tpl|defaults)$/;

/** Programs that make keys: what they write is new. */
const keyMakers: ReadonlySet<string> = new Set(["openssl", "keytool", "ssh-keygen", "age-keygen", "mkcert"]);

/** Keys that a program uses and does not show: `ssh -i KEY`, `ssh-add KEY`; and those that it makes. */
export const isOwnKey = ({ kind, program, path }: FileEffect, { commands }: Script): boolean => {
  if (kind === "writes") return keyMakers.has(program);
  if (kind !== "reads" || !/^(?:ssh|scp|sftp)$/.test(program)) return false;
  return commands.some(
    ({ name, args }) =>
      name === program &&
      args.some(({ text }, at) => (text === "-i" && args[at + 1]?.text === path.text) || text === `-i${path.text}`),
  );
};

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
