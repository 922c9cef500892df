import { homedir } from "node:os";
import { posix } from "node:path";
import { RuleDefinitionError } from "../../definition-error.ts";
import { type Folded, folded } from "../../paths/folded.ts";
import type { Protecting } from "../../paths/place.ts";
import { furtherSets, standardSets } from "../../paths/protected/index.ts";
import { member, type SetOf } from "../../paths/protected/member.ts";
import { mayMatch } from "../../paths/wildcard.ts";
import type { Surroundings } from "../pack.ts";
import type { PathsOptions } from "./options.ts";

/** Options and surroundings, checked, as the rules of this pack use them. */
export interface Settings {
  readonly protecting: Protecting;
  readonly readRoots: readonly string[];
  readonly writeRoots: readonly string[];
  readonly directory: string | null;
  readonly outsideRoots: "block" | "escalate";
  readonly largeSearches: "pass" | "escalate";
  /** Does a text name what `allow` or `protect` speak of? An example that does says nothing of the pack. */
  readonly decidesItself: (text: string) => boolean;
}

/** Throws `RuleDefinitionError` for a root that is not absolute, or is `/`. */
export const settingsOf = (options: Required<PathsOptions>, around: Surroundings): Settings => {
  const readRoots = options.readRoots ?? around.roots;
  const writeRoots = options.writeRoots ?? around.roots;
  for (const root of [...readRoots, ...writeRoots, ...(around.directory === null ? [] : [around.directory])])
    checkFolder(root);
  if (readRoots.length === 0 && writeRoots.length === 0)
    throw new RuleDefinitionError("paths: roots must name at least one folder");
  const own = options.protect.length > 0 ? namedSet(options.protect) : null;
  const allowedNames = options.allow.map((path) => posix.basename(path));
  return Object.freeze({
    protecting: {
      sets: [
        ...(own === null ? [] : [own]),
        ...(options.ciFiles === "escalate" ? [furtherSets.ciFiles] : []),
        ...(options.instructions === "escalate" ? [furtherSets.agentInstructions] : []),
        ...standardSets,
      ],
      allowed: new Set(options.allow.map((path) => exactPath(path, around.directory))),
    },
    readRoots,
    writeRoots,
    directory: around.directory,
    outsideRoots: options.outsideRoots,
    largeSearches: options.largeSearches,
    decidesItself: (text: string) =>
      allowedNames.some((name) => text.includes(name)) ||
      (own !== null && text.split(/\s+/).some((piece) => own(folded(piece)) !== null)),
  });
};

const checkFolder = (folder: string): void => {
  if (!/^[/~]/.test(folder) || folder.split("/").includes(".."))
    throw new RuleDefinitionError("paths: a folder must be absolute, or below ~, and without ..");
  if (/^\/+$/.test(folder)) throw new RuleDefinitionError("paths: the root / would allow every file; name the folders");
};

const exactPath = (path: string, directory: string | null): string => {
  if (path.startsWith("~/")) return posix.normalize(`${homedir()}${path.slice(1)}`);
  if (path.startsWith("/")) return posix.normalize(path);
  if (directory === null)
    throw new RuleDefinitionError("paths: allow takes absolute paths where the directory is not known");
  return posix.normalize(`${directory}/${path}`);
};

const named = member(
  "named",
  ["read", "list", "write", "delete", "alter"],
  "block",
  "a place that this rule set protects",
);

/** A name (`*.secret`, `private`) counts wherever it lies, an absolute path as itself; both with all that is below. */
const namedSet = (protect: readonly string[]): SetOf => {
  const names = protect.filter((one) => !one.includes("/")).map((one) => one.toLowerCase());
  const places = protect.filter((one) => one.includes("/")).map((one) => folded(one));
  return (path) => {
    if (path.parts.some((part) => names.some((name) => mayMatch(name, part)))) return named;
    return places.some((place) => isBelow(path, place)) ? named : null;
  };
};

const isBelow = ({ anchor, parts }: Folded, place: Folded): boolean => {
  const from = place.anchor === anchor ? 0 : place.anchor === "relative" ? parts.length - place.parts.length : -1;
  if (place.anchor === "relative")
    return parts.some((_, at) => place.parts.every((part, index) => mayMatch(part, parts[at + index] ?? "")));
  return from === 0 && place.parts.every((part, index) => mayMatch(part, parts[index] ?? ""));
};
