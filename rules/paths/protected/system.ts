import type { Folded } from "../folded.ts";
import { changing, inSystemEtc, isRooted, type Member, member, type SetOf } from "./member.ts";

const ofProcess = member("processes", ["read", "write"], "block", "the memory, environment or files of a process");
/** Another root, or the folder that a process works in: to list it is to look around there. */
const foldersOfProcess = member("processes", ["read", "list", "write"], "block", "the files of a process");
const memory = member("processes", ["read", "write"], "block", "the memory of the machine");
const accounts = member("accounts", ["read", ...changing], "block", "the accounts of the machine");
const ofSystem = member("system", changing, "block", "a file of the system");

const ofAdministrator = member("system", changing, "escalate", "a program of the whole machine");

/** What a process keeps to itself, under any PID, however it is spelled. */
const processParts: ReadonlySet<string> = new Set([
  "environ",
  "mem",
  "maps",
  "smaps",
  "auxv",
  "pagemap",
  "map_files",
  "syscall",
  "stack",
]);

/** `/proc/PID/environ`, `/proc/self/root` and what is below, `/proc/PID/task/TID/mem`. */
export const processes: SetOf = (path): Member | null => {
  const at = path.parts.indexOf("proc");
  if (at >= 0 && (path.anchor !== "relative" || at === 0)) {
    const rest = path.parts.slice(at + 1);
    const own = rest[1] === "task" ? rest[3] : rest[0] === "thread-self" || rest[0] === "self" ? rest[1] : rest[1];
    if (own === "root" || own === "cwd") return foldersOfProcess;
    if (processParts.has(own ?? "")) return ofProcess;
    if (own === "fd" && rest.length > 2 && Number(rest[2]) > 2) return ofProcess;
    if (rest[0] === "kcore" || rest[0] === "kmem" || rest[0] === "kallsyms") return memory;
  }
  return path.parts.length === 2 && path.parts[0] === "dev" && devices.test(path.parts[1] ?? "") ? memory : null;
};

const devices = /^(?:mem|kmem|port)$/;

/** `/etc/passwd` says who there is; reading it is how an intruder begins. Also below the root of a mounted machine. */
export const accountFiles: SetOf = (path): Member | null => {
  const name = path.parts.at(-1);
  if (name !== "passwd" && name !== "passwd-") return null;
  return inSystemEtc(path)?.length === 1 ? accounts : null;
};

const trees: readonly string[] = [
  "bin",
  "boot",
  "etc",
  "lib",
  "lib32",
  "lib64",
  "sbin",
  "sys",
  "proc",
  "usr",
  "system",
  "windows",
];

/** Files of the system: to change one changes the machine, not the project. `/usr/local` is the administrator's, and asked about too. */
export const systemFiles: SetOf = (path): Member | null => {
  const [tree = "", second] = path.parts;
  if (path.anchor !== "root" && path.anchor !== "climbs") return null;
  if (tree === "private" && (second === "etc" || second === "var")) return ofSystem;
  if (tree === "usr" && second === "local") return ofAdministrator;
  return trees.includes(tree) && !isOwnDescriptor(path) ? ofSystem : null;
};

/** `/proc/self/fd/2`, `/proc/self/oom_score_adj`, `/proc/1/fd/1`, where containers write their log. */
const isOwnDescriptor = (path: Folded): boolean =>
  isRooted(path, "proc") && !isRooted(path, "proc", "sys") && path.parts.length >= 3;
