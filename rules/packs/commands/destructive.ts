import { placesOf } from "../../shell/directories.ts";
import type { Effect, FileEffect } from "../../shell/effect.ts";
import { isRawDevice, isSystemFile } from "../../shell/system-places.ts";
import type { Surroundings } from "../pack.ts";
import { doesToSystem, type Judge, type Judgement, judgement } from "./judgement.ts";
import type { CommandsOptions } from "./options.ts";
import { standingOf } from "./standing.ts";

/** What cannot be brought back: files outside the roots and whole roots, disks, machines, histories, resources. */
export const destructive: Judge = (command, options, around) => [
  ...command.effects.map((effect) => ofEffect(effect, options, around)),
  doesToSystem(command, "rewrites_history")
    ? judgement(
        options.gitHistory,
        "it rewrites a history that others may have; the option gitHistory says what becomes of that",
      )
    : null,
  doesToSystem(command, "discards_work")
    ? judgement(
        options.gitHistory,
        "it discards work that is not committed; the option gitHistory says what becomes of that",
      )
    : null,
  doesToSystem(command, "removes_resources")
    ? judgement(
        options.resources,
        "it removes a repository, or resources of a cluster, a cloud or a database; the option resources says what becomes of that",
      )
    : null,
  doesToSystem(command, "publishes")
    ? judgement(options.resources, "it publishes a package; the option resources says what becomes of that")
    : null,
];

const blocked: Readonly<Record<string, string>> = {
  formats_disk: "it formats a disk",
  stops_machine: "it stops the machine",
  ends_processes: "it ends every process",
  multiplies: "a function that starts itself again and again",
  destroys_elsewhere: "it removes what a container or another machine needs",
  harms_windows: "a known way to destroy, or to run what nobody read, on Windows",
};

const ofEffect = (effect: Effect, options: CommandsOptions, around: Surroundings): Judgement | null => {
  switch (effect.kind) {
    case "system":
      return Object.hasOwn(blocked, effect.what) ? judgement("block", blocked[effect.what] as string) : null;
    case "deletes":
      return ofDeletion(effect, options, around);
    case "writes":
      return ofWriting(effect, options, around);
    case "alters":
      return ofAltering(effect, options, around);
    default:
      return null;
  }
};

const ofDeletion = (effect: FileEffect, options: CommandsOptions, around: Surroundings): Judgement | null => {
  const { path, recursive } = effect;
  if (!path.known) {
    // `rm "$f"` is one file, and daily work; a folder with all below it is not.
    return recursive && effect.program !== "mv"
      ? judgement(options.opaque, "it removes directories that only the running shell knows")
      : null;
  }
  switch (standingOf(path, around)) {
    case "protected":
      return recursive || /[*?[]/.test(path.text)
        ? judgement("block", "it removes a directory that a system or a home needs")
        : judgement(softened(options.deleteOutsideRoots), "it removes a file outside the roots");
    case "outside":
      return recursive && effect.program !== "mv"
        ? judgement(options.deleteOutsideRoots, "it removes a directory outside the roots")
        : judgement(softened(options.deleteOutsideRoots), "it removes a file outside the roots");
    case "root_itself":
      // `git clean` leaves what is committed, and is told as work that is discarded.
      if (effect.program === "git") return null;
      return recursive || /\*/.test(path.text) ? judgement("escalate", "it removes everything in a directory") : null;
    default:
      return recursive && /(?:^|\/)\.git\/*$/i.test(path.text)
        ? judgement(options.gitHistory, "it removes the history of a repository")
        : null;
  }
};

const softened = (measure: CommandsOptions["deleteOutsideRoots"]): CommandsOptions["deleteOutsideRoots"] =>
  measure === "block" ? "escalate" : measure;

/** Programs that make a folder or a copy of their own rather than write over what is there. */
const making: ReadonlySet<string> = new Set([
  "mkdir",
  "touch",
  "docker",
  "podman",
  "git",
  "unzip",
  "tar",
  "npm",
  "pip",
  "mktemp",
]);
const mounting: ReadonlySet<string> = new Set(["docker", "podman", "nerdctl"]);
/** Programs whose target is what they were started for. */
const direct: ReadonlySet<string> = new Set(["", "tee", "dd", "truncate", "shred"]);

const ofWriting = (effect: FileEffect, options: CommandsOptions, around: Surroundings): Judgement | null => {
  const { path, program, recursive } = effect;
  const places = placesOf(path.directories, path.text);
  if (places.some(isRawDevice)) return judgement("block", "it writes to a device");
  if (places.some(isSystemFile) || (recursive && places.includes("/")))
    return judgement(direct.has(program) ? "block" : "escalate", "it writes to a file of the system");
  if (mounting.has(program) && recursive && path.known && standingOf(path, around) === "protected")
    return judgement("escalate", "it gives a container a directory that a system or a home needs");
  if (!path.known || making.has(program) || places.some((place) => place.startsWith("/dev/"))) return null;
  const standing = standingOf(path, around);
  return standing === "outside" ? judgement(options.writeOutsideRoots, "it writes outside the roots") : null;
};

const ofAltering = (
  { path, recursive, program }: FileEffect,
  options: CommandsOptions,
  around: Surroundings,
): Judgement | null => {
  if (!path.known) return null;
  const standing = standingOf(path, around);
  if (recursive && standing === "protected") return judgement("block", "it changes who may use a system or a home");
  if (standing !== "inside" && placesOf(path.directories, path.text).some(isSystemFile))
    return judgement("escalate", "it changes who may use a file of the system");
  return recursive && standing === "outside" && program !== "rename"
    ? judgement(softened(options.deleteOutsideRoots), "it changes who may use what is outside the roots")
    : null;
};
