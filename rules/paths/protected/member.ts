import type { Folded } from "../folded.ts";

/** What is done to a file. `alter` is its owner, mode, times and links. */
export type FileUse = "read" | "list" | "write" | "delete" | "alter";

export type ProtectedSet =
  | "credentials"
  | "processes"
  | "accounts"
  | "startup"
  | "vcs"
  | "agents"
  | "ci"
  | "system"
  | "named";

/** A place that is protected, and against what. */
export interface Member {
  readonly set: ProtectedSet;
  readonly uses: ReadonlySet<FileUse>;
  /** `escalate`: a person does have reasons for it at times. */
  readonly answer: "block" | "escalate";
  /** For a reason: "a file of keys, passwords or tokens". */
  readonly what: string;
}

/** The member of one set that a path is; null where it is none. */
export type SetOf = (path: Folded) => Member | null;

export const member = (set: ProtectedSet, uses: readonly FileUse[], answer: Member["answer"], what: string): Member =>
  Object.freeze({ set, uses: new Set(uses), answer, what });

export const changing: readonly FileUse[] = ["write", "delete", "alter"];

export const lastOf = (path: Folded): string => path.parts.at(-1) ?? "";

/** Is `path` at the place that these parts name from the root, or below it? What climbs may start at the root. */
export const isRooted = ({ anchor, parts }: Folded, ...from: readonly string[]): boolean =>
  (anchor === "root" || anchor === "climbs") && from.every((part, index) => parts[index] === part);

/** What is below the last folder of this name; null where there is none. */
export const below = ({ parts }: Folded, folder: string): readonly string[] | null => {
  const at = parts.lastIndexOf(folder);
  return at < 0 ? null : parts.slice(at + 1);
};

/** Do these parts stand in this order, one after the other, somewhere? */
export const holdsRun = ({ parts }: Folded, run: readonly string[]): boolean =>
  parts.some((part, at) => part === run[0] && run.every((step, index) => parts[at + index] === step));

/** Roots of a machine that is mounted below this one. */
const mounts: ReadonlySet<string> = new Set(["host", "hostfs", "rootfs", "mnt", "private", "host_root", "chroot"]);

/** What is below `/etc`, also that of a mounted machine and of macOS; a folder `etc` of a project is none. */
export const inSystemEtc = ({ anchor, parts }: Folded): readonly string[] | null => {
  if (anchor !== "root" && anchor !== "climbs") return null;
  const at = parts[0] === "etc" ? 0 : parts[1] === "etc" && mounts.has(parts[0] ?? "") ? 1 : -1;
  return at < 0 ? null : parts.slice(at + 1);
};
