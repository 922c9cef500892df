import type { Effect } from "../effect.ts";
import type { Command, Redirect, Script } from "../script.ts";
import { archiveArguments, archivePrograms } from "./archives.ts";
import { connectingPrograms } from "./connecting.ts";
import { gitPrograms } from "./git.ts";
import { machinePrograms } from "./machine.ts";
import { networkPrograms } from "./network.ts";
import { packagePrograms } from "./packages.ts";
import { callOf, onFiles, type Program, type Programs } from "./program.ts";
import { readingPrograms } from "./reading.ts";
import { resourcePrograms } from "./resources.ts";
import { runningPrograms } from "./running.ts";
import { searchingPrograms } from "./searching.ts";
import { writingPrograms } from "./writing.ts";

const families: readonly Programs[] = [
  readingPrograms,
  writingPrograms,
  searchingPrograms,
  archivePrograms,
  networkPrograms,
  connectingPrograms,
  gitPrograms,
  runningPrograms,
  packagePrograms,
  machinePrograms,
  resourcePrograms,
];

/** A program may be in several families: `docker` mounts folders and removes volumes. */
const programs: ReadonlyMap<string, readonly Program[]> = (() => {
  const all = new Map<string, Program[]>();
  for (const family of families)
    for (const [name, program] of Object.entries(family)) all.set(name, [...(all.get(name) ?? []), program]);
  return all;
})();

/** `python3.12` is python, `mkfs.ext4` is mkfs, `rm.exe` is rm. */
const generic = (name: string): string => {
  if (programs.has(name)) return name;
  const base = name.replace(/\.exe$/, "");
  if (programs.has(base)) return base;
  return base.startsWith("mkfs.") ? "mkfs" : base.replace(/[\d.]+$/, "");
};

export const isKnownProgram = (name: string): boolean => programs.has(generic(name));

/** What a script does, in the order of its commands. Programs that are not known have no effects. */
export const effectsOf = (script: Script): readonly Effect[] => [
  ...script.redirects.flatMap(ofRedirect),
  ...script.commands.flatMap(ofCommand),
  ...(script.multiplies ? [{ program: "", kind: "system", what: "multiplies" } as const] : []),
  ...(script.opaque ? [{ program: "", kind: "unknown", why: "computed_program" } as const] : []),
];

const ofRedirect = ({ target, directories, writes }: Redirect): readonly Effect[] =>
  onFiles(
    writes ? "writes" : "reads",
    { program: "", args: [], operands: [], options: [], fedBy: [], directories },
    /^\d+$|^-$/.test(target.text) ? [] : [target],
  );

const ofCommand = (command: Command): readonly Effect[] => {
  const known = programs.get(generic(command.name)) ?? [];
  const args = archiveArguments[command.name]?.(command.args) ?? command.args;
  return known.flatMap(({ grammar, does }) => does(callOf({ ...command, args }, grammar)));
};
