import { placesOf } from "../directories.ts";
import type { Effect } from "../effect.ts";
import type { Command, Redirect, Script } from "../script.ts";
import { isProtectedPlace } from "../system-places.ts";
import { archiveArguments, archivePrograms } from "./archives.ts";
import { connectingPrograms } from "./connecting.ts";
import { credentialPrograms } from "./credentials.ts";
import { ofDownloads, ofSavedDownloads } from "./downloads.ts";
import { ofForeign } from "./foreign.ts";
import { gitPrograms } from "./git.ts";
import { guardPrograms } from "./guard.ts";
import { machinePrograms } from "./machine.ts";
import { networkPrograms } from "./network.ts";
import { packagePrograms } from "./packages.ts";
import { callOf, onFiles, type Program, type Programs, pathOf } from "./program.ts";
import { readingPrograms } from "./reading.ts";
import { resourcePrograms } from "./resources.ts";
import { runningPrograms } from "./running.ts";
import { searchingPrograms } from "./searching.ts";
import { servingPrograms } from "./serving.ts";
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
  servingPrograms,
  credentialPrograms,
  guardPrograms,
];

/** A program may be in several families: `docker` mounts folders and removes volumes. */
const programs: ReadonlyMap<string, readonly Program[]> = (() => {
  const all = new Map<string, Program[]>();
  for (const family of families)
    for (const [name, program] of Object.entries(family)) {
      const known = all.get(name);
      if (known === undefined) all.set(name, [program]);
      else known.push(program);
    }
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
export const effectsOf = (script: Script): readonly Effect[] => {
  const own = [...script.redirects.flatMap(ofRedirect), ...script.commands.flatMap(ofCommand)];
  return [
    ...own,
    ...ofDownloads(script),
    ...ofSavedDownloads(script, own),
    ...script.foreign.flatMap(({ shell, text }) => ofForeign(shell, text)),
    ...(script.multiplies ? [{ program: "", kind: "system", what: "multiplies" } as const] : []),
    ...(script.opaque ? [{ program: "", kind: "unknown", why: "computed_program" } as const] : []),
    ...(script.wrapped ? [{ program: "", kind: "unknown", why: "unknown_wrapper" } as const] : []),
  ];
};

const ofRedirect = ({ target, directories, writes }: Redirect): readonly Effect[] =>
  onFiles(
    writes ? "writes" : "reads",
    { program: "", args: [], operands: [], options: [], fedBy: [], input: null, directories },
    /^\d+$|^-$/.test(target.text) ? [] : [target],
  );

const ofCommand = (command: Command): readonly Effect[] => {
  const known = programs.get(generic(command.name)) ?? [];
  const args = archiveArguments[command.name]?.(command.args) ?? command.args;
  const effects = known.flatMap(({ grammar, does }) => does(callOf({ ...command, args }, grammar)));
  const all = [...ofItself(command), ...effects];
  return command.elsewhere ? all.flatMap(ofElsewhere) : all;
};

/** A program that is named by where it lies is a file that is run. */
const ofItself = ({ name, path, directories }: Command): readonly Effect[] =>
  path.includes("/") && !/^\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?s?bin\//.test(path)
    ? [
        {
          program: name,
          kind: "runs",
          what: "file",
          path: pathOf({ text: path, known: true }, directories),
          text: null,
        },
      ]
    : [];

/** Files of a container or of another machine are not this one's; what it needs to run it may need all the same. */
const ofElsewhere = (effect: Effect): readonly Effect[] => {
  switch (effect.kind) {
    case "deletes":
      return effect.path.known &&
        effect.recursive &&
        placesOf(effect.path.directories, effect.path.text).some(isProtectedPlace)
        ? [{ program: effect.program, kind: "system", what: "destroys_elsewhere" }]
        : [];
    case "reads":
    case "writes":
    case "lists":
    case "alters":
      return [];
    default:
      return [effect];
  }
};
