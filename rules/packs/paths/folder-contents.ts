import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { folded } from "../../paths/folded.ts";
import { type Protecting, protectedBy } from "../../paths/place.ts";
import { credentials } from "../../paths/protected/credentials.ts";
import { protectionOf } from "../../paths/protected/index.ts";
import { hasWildcard, mayMatch } from "../../paths/wildcard.ts";
import type { NameFilter } from "./recursive-readers.ts";

/** What a recursive reader of a folder would reach. `large`: none was found among those that were looked at. */
export type FolderContents = "protected" | "clean" | "large" | "absent";

/** Names that are looked at, near ones first: some 5 ms. */
const maxNames = 4_000;
const maxFolders = 400;

/** Folders of what others wrote, and of tests: a key in them opens nothing. */
const passedOver: ReadonlySet<string> = new Set([
  "node_modules",
  ".git",
  ".venv",
  "venv",
  "vendor",
  "target",
  "__pycache__",
  ".next",
  ".cache",
  ".tox",
  "test",
  "tests",
  "__tests__",
  "__fixtures__",
  "fixtures",
  "testdata",
  "site-packages",
]);

/** Ends of names that no protected file has. */
const ordinary =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|c|h|cc|cpp|hpp|cs|md|css|scss|html|svg|png|jpg|gif|map|lock|txt|sh|snap|vue|svelte|php|swift|proto|sql|csv|log|so|a|o|wasm)$/i;

/** Looks at the folder on this machine, as it is now. */
export const folderContents = (folder: string, filter: NameFilter, protecting: Protecting): FolderContents => {
  const ahead = [folder];
  let names = 0;
  for (let read = 0; read < ahead.length; read++) {
    if (read >= maxFolders) return "large";
    const at = ahead[read] as string;
    const entries = entriesOf(at);
    if (entries === null) {
      if (read === 0) return "absent";
      continue;
    }
    for (const entry of entries) {
      if (++names > maxNames) return "large";
      const { name } = entry;
      if (filter.not.some((glob) => mayMatch(glob, name.toLowerCase()))) continue;
      if (!filter.hidden && name.startsWith(".")) continue;
      if (entry.isDirectory()) {
        if (!passedOver.has(name)) ahead.push(join(at, name));
      } else if (!ordinary.test(name) && isReached(name, filter) && isProtected(join(at, name), protecting))
        return "protected";
    }
  }
  return "clean";
};

const entriesOf = (folder: string) => {
  try {
    // An error costs five times what this look does.
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return null;
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return null;
  }
};

const isReached = (name: string, { only }: NameFilter): boolean =>
  only.length === 0 || only.some((glob) => mayMatch(glob, name.toLowerCase()));

const isProtected = (path: string, protecting: Protecting): boolean =>
  protectedBy({ text: path, uses: ["read"], directory: null, isShell: false, follows: false }, protecting) !== null;

/** Is this the root, a home, or another folder that is known to have protected files below it? */
export const holdsProtected = (path: string): boolean => {
  const { anchor, parts } = folded(path);
  if (parts.some(hasWildcard)) return false;
  const [first = "", second = ""] = parts;
  const isHome =
    (anchor === "home" && parts.length === 0) ||
    (anchor === "root" && ((first === "root" && parts.length === 1) || (homes.has(first) && parts.length === 2)));
  if (isHome) return true;
  if (anchor === "home") return parts.length === 1 && inHome.has(first);
  if (anchor !== "root") return false;
  if (parts.length <= 1) return parts.length === 0 || tops.has(first);
  if (homes.has(first) && parts.length === 3) return inHome.has(parts[2] ?? "");
  if (first === "root" && parts.length === 2) return inHome.has(second);
  return (
    parts.length === 2 && (first === "etc" ? second === "ssl" || second === "ssh" : first === "var" && second === "run")
  );
};

const homes: ReadonlySet<string> = new Set(["home", "users"]);
const tops: ReadonlySet<string> = new Set(["home", "users", "etc", "proc", "run", "var"]);
const inHome: ReadonlySet<string> = new Set([".config", "library", "appdata", ".local", ".mozilla"]);

/** May a filter let a protected name through at all? `--include=*.ts` does not. */
export const mayReachProtected = ({ only }: NameFilter): boolean =>
  only.length === 0 || only.some((glob) => typical.some((name) => mayMatch(glob, name)));

const asking = new WeakMap<NameFilter, boolean>();

/** Does a filter ask for names of keys and for nothing else? Told once for each. */
export const asksForKeys = (filter: NameFilter): boolean => {
  const before = asking.get(filter);
  if (before !== undefined) return before;
  const { only } = filter;
  const asks =
    only.length > 0 && only.every((glob) => protectionOf(folded(`x/${glob}`), ["read"], [credentials], false) !== null);
  asking.set(filter, asks);
  return asks;
};

const typical: readonly string[] = [
  ".env",
  ".env.local",
  ".npmrc",
  "id_rsa",
  "id_ed25519",
  "server.key",
  "server.pem",
  "shadow",
  "passwd",
  "credentials",
  "credentials.json",
  ".git-credentials",
];
