import type { Directory } from "../../shell/directories.ts";
import type { FileEffect } from "../../shell/effect.ts";
import type { Command, Script } from "../../shell/script.ts";
import { unknown } from "../../shell/word.ts";

/** A command that reads what is below a folder, and which names it reads there. */
export interface RecursiveRead {
  readonly text: string;
  readonly directories: readonly Directory[];
  readonly filter: NameFilter;
}

export interface NameFilter {
  /** Globs, one of which a name must match; empty: all names. */
  readonly only: readonly string[];
  /** Globs of names and folders that are passed over. */
  readonly not: readonly string[];
  /** Are hidden names read? `rg` and `ag` pass them over. */
  readonly hidden: boolean;
}

/** These name a folder without showing what is in it. */
const silent: ReadonlySet<string> = new Set([
  "git",
  "ln",
  "mv",
  "link",
  "docker",
  "podman",
  "docker-compose",
  "rename",
  "kubectl",
]);
/** These leave hidden files out unless they are told not to. */
const leavesHiddenOut: ReadonlySet<string> = new Set(["rg", "ag", "ack", "fd", "fdfind"]);

export const recursiveReads = (script: Script, effects: readonly FileEffect[]): readonly RecursiveRead[] => [
  ...effects
    .filter(({ kind, recursive, program }) => kind === "reads" && recursive && !silent.has(program))
    .map(({ path, program }) => ({
      text: path.text,
      directories: path.directories,
      filter: readFilter(script, program),
    })),
  ...found(script, effects),
];

/** `find / -name id_rsa` shows where they are: what it starts from and asks for. */
export const searches = (script: Script, effects: readonly FileEffect[]): readonly RecursiveRead[] =>
  effects
    .filter(({ kind, recursive, program }) => kind === "lists" && recursive && finders.has(program))
    .map(({ path, program }) => ({ text: path.text, directories: path.directories, filter: filterOf(script, program) }))
    .filter(({ filter }) => filter.only.length > 0);

/** What `find -exec` runs reads what `find` found. */
const readFilter = (script: Script, program: string): NameFilter => {
  const own = filterOf(script, program);
  const finder = script.commands.find(({ name }) => finders.has(name));
  return finder === undefined || own.only.length > 0 ? own : filterOf(script, finder.name);
};

/** `find START -exec cat {} +` and `find START | xargs cat` read what `find` names. */
const found = (script: Script, effects: readonly FileEffect[]): readonly RecursiveRead[] => {
  const finder = script.commands.find(({ name }) => finders.has(name));
  if (finder === undefined) return [];
  const reads = effects.some(
    ({ kind, program, path }) =>
      kind === "reads" &&
      (path.text === "{}" || path.text === unknown || path.text.includes("/**/")) &&
      script.commands.some(
        ({ name, fedBy }) => name === program && (path.text !== unknown || fedBy.some((feeder) => finders.has(feeder))),
      ),
  );
  if (!reads) return [];
  const filter = filterOf(script, finder.name);
  return effects
    .filter(({ kind, program }) => kind === "lists" && program === finder.name)
    .map(({ path }) => ({ text: path.text, directories: path.directories, filter }));
};
const finders: ReadonlySet<string> = new Set(["find", "gfind", "fd", "fdfind"]);

/** Options of one letter and long ones whose value is a glob. */
const only: ReadonlySet<string> = new Set([
  "--include",
  "-name",
  "-iname",
  "-path",
  "-ipath",
  "-wholename",
  "-g",
  "--glob",
  "--iglob",
  "-G",
  "-e",
  "--extension",
]);
const not: ReadonlySet<string> = new Set(["--exclude", "--exclude-dir", "-x", "--ignore", "--ignore-dir", "-E"]);
const negations: ReadonlySet<string> = new Set(["!", "-not"]);

/** What the options of a program's commands say; where several commands run it, only what none of them leaves out is left out. */
const filterOf = ({ commands }: Script, program: string): NameFilter => {
  const filters = commands.filter(({ name }) => name === program).map(filterIn);
  const [first] = filters;
  if (first === undefined) return { only: [], not: [], hidden: !leavesHiddenOut.has(program) };
  return filters.length === 1 ? first : { only: [], not: [], hidden: filters.some(({ hidden }) => hidden) };
};

const filterIn = ({ name, args }: Command): NameFilter => {
  const takes: string[] = [];
  const leaves: string[] = [];
  let hidden = !leavesHiddenOut.has(name);
  const isGrep = /grep$/.test(name);
  for (const [at, { text }] of args.entries()) {
    if (/^(?:--hidden|--no-ignore|-\.|-u{1,3}|--unrestricted|-H)$/.test(text) && !isGrep) hidden = true;
    const equals = text.startsWith("--") ? text.indexOf("=") : -1;
    const option = equals < 0 ? text : text.slice(0, equals);
    const value = equals < 0 ? args[at + 1]?.text : text.slice(equals + 1);
    if (value === undefined) continue;
    if (not.has(option) && !(isGrep && option.length === 2)) leaves.push(...globsOf(value));
    else if (only.has(option) && !(isGrep && !option.startsWith("--"))) {
      const isNegated = negations.has(args[at - 1]?.text ?? "") || value.startsWith("!");
      (isNegated ? leaves : takes).push(...globsOf(value.replace(/^!/, ""), name.startsWith("fd") && option !== "-g"));
    } else if ((option === "-t" || option === "--type") && name === "rg") takes.push(`*.${value}`);
  }
  return { only: takes, not: leaves, hidden };
};

/** The parts of a glob that say something; a bare ending of `fd -e ts` is `*.ts`. */
const globsOf = (value: string, isEnding = false): readonly string[] => {
  if (isEnding) return [`*.${value}`];
  return value
    .split("/")
    .filter((part) => part !== "" && part !== "**" && part !== "*" && part !== ".")
    .slice(-1);
};
