import type { Command } from "../../../rules/shell/script.ts";
import type { Word } from "../../../rules/shell/word.ts";

/** What a command of a known program does to the files that it names. */
export interface Alteration {
  /** It alters these. */
  readonly alters: readonly Word[];
  /** With these goes what is in them. */
  readonly removes: readonly Word[];
  /** It changes whose these are, and who may use them. */
  readonly owns: readonly Word[];
}

const nothing: Alteration = Object.freeze({ alters: [], removes: [], owns: [] });

const everyOperand: ReadonlySet<string> = new Set([
  ...["tee", "truncate", "shred", "touch", "ed", "ex", "patch", "mkfifo", "mknod", "mkdir", "setfacl", "chattr", "ln"],
]);
const remove: ReadonlySet<string> = new Set(["rm", "unlink", "rmdir", "trash", "srm"]);
const own: ReadonlySet<string> = new Set(["chmod", "chown", "chgrp"]);
const copy: ReadonlySet<string> = new Set(["cp", "install", "rsync", "scp", "mv"]);
const edit: ReadonlySet<string> = new Set(["sed", "gsed", "perl", "ruby"]);
const download: ReadonlySet<string> = new Set(["curl", "wget"]);

export const isAltering = (name: string): boolean =>
  [everyOperand, remove, own, copy, edit, download].some((names) => names.has(name)) ||
  name === "dd" ||
  name === "find";

/** By the program's name and its options; what a program does that is not known here is not seen. */
export const alterationOf = ({ name, args }: Pick<Command, "name" | "args">): Alteration => {
  if (everyOperand.has(name)) return { ...nothing, alters: operands(args) };
  if (remove.has(name)) return { ...nothing, alters: operands(args), removes: operands(args) };
  if (own.has(name)) return ownership(args);
  if (copy.has(name)) return copied(name, args);
  if (edit.has(name))
    return args.some(({ text }) => inPlace.test(text)) ? { ...nothing, alters: operands(args) } : nothing;
  if (download.has(name)) return { ...nothing, alters: downloaded(args) };
  if (name === "dd") return { ...nothing, alters: args.filter(({ text }) => text.startsWith("of=")) };
  if (name === "find") return found(args);
  return nothing;
};

const inPlace = /^(?:-[A-Za-z0-9]*i|--in-place)/;

const ownership = (args: readonly Word[]): Alteration => {
  const named = operands(args);
  const isDeep = args.some(({ text }) => /^-[A-Za-z]*R/.test(text) || text === "--recursive");
  return { alters: named, removes: isDeep ? named : [], owns: named };
};

/** The last operand is where they go, or the folder in which each gets its own name. */
const copied = (name: string, args: readonly Word[]): Alteration => {
  const target = targetOf(args);
  const named = operands(args).filter((word) => word !== target);
  const to = target ?? named.at(-1);
  if (to === undefined) return nothing;
  const from = target === undefined ? named.slice(0, -1) : named;
  const inFolder = from.map(({ text, known }) => ({
    text: `${folderOf(to)}/${text.slice(text.replace(/\/+$/, "").lastIndexOf("/") + 1)}`,
    known: known && to.known,
  }));
  const replaces = [to, ...inFolder];
  const isMirror = name === "rsync" && args.some(({ text }) => text.startsWith("--del"));
  if (name === "mv") return { alters: [...replaces, ...from], removes: from, owns: [] };
  return { alters: replaces, removes: isMirror ? [to] : [], owns: [] };
};

/** `-t DIR`, `--target-directory=DIR`. */
const targetOf = (args: readonly Word[]): Word | undefined => {
  const at = args.findIndex(({ text }) => text === "-t" || text === "--target-directory");
  return at >= 0 ? args[at + 1] : args.find(({ text }) => text.startsWith("--target-directory="));
};

const folderOf = ({ text }: Word): string => text.replace(/^--target-directory=/, "");

const downloaded = (args: readonly Word[]): readonly Word[] =>
  args.filter(
    ({ text }, at) =>
      /^--output(?:-document)?=/.test(text) ||
      /^(?:-[A-Za-z]*[oO]|--output(?:-document)?)$/.test(args[at - 1]?.text ?? ""),
  );

/** `find DIR -delete`, `find DIR -exec rm {} +`: what it starts from goes with what is in it. */
const found = (args: readonly Word[]): Alteration => {
  const removes =
    args.some(({ text }) => text === "-delete") ||
    args.some(({ text }, at) => /^-(?:exec|ok)/.test(args[at - 1]?.text ?? "") && isAltering(nameOf(text)));
  if (!removes) return nothing;
  const first = args.findIndex(({ text }) => /^[-(!]/.test(text));
  const starts = first < 0 ? args : args.slice(0, first);
  return { alters: starts, removes: starts, owns: [] };
};

export const nameOf = (text: string): string => text.slice(text.lastIndexOf("/") + 1).toLowerCase();

const operands = (args: readonly Word[]): readonly Word[] => {
  const end = args.findIndex(({ text }) => text === "--");
  const before = end < 0 ? args : args.slice(0, end);
  return [
    ...before.filter(({ text }) => !text.startsWith("-") || text.includes("=")),
    ...(end < 0 ? [] : args.slice(end + 1)),
  ];
};
