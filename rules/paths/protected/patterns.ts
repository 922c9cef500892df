import type { Folded } from "../folded.ts";
import { alternatives, hasWildcard, matcherOf, saidLetters } from "../wildcard.ts";
import { shortNameAsGlob } from "../windows.ts";

/** A letter that no pattern says: only a wildcard matches it. */
const any = "\u0001";

/** Names that a pattern for the last part may mean. Those with `any` are matched only by what says the rest. */
const files: readonly string[] = [
  ".env",
  ".env.local",
  ".env.production",
  ".envrc",
  ".npmrc",
  ".netrc",
  ".pypirc",
  ".pgpass",
  ".git-credentials",
  ".gitconfig",
  ".bash_history",
  ".zsh_history",
  ".bashrc",
  ".bash_profile",
  ".zshrc",
  ".profile",
  ".mcp.json",
  "id_rsa",
  "id_ed25519",
  "id_ecdsa",
  "authorized_keys",
  "terraform.tfstate",
  "credentials.json",
  "secrets.yml",
  "secrets.yaml",
  "secrets.json",
  `${any}.env`,
  `${any}.pem`,
  `${any}.key`,
  `${any}.p12`,
  `${any}.pfx`,
  `${any}.jks`,
  `${any}.keystore`,
  `${any}.kdbx`,
  `${any}.ppk`,
  `${any}.tfstate`,
];

/** Names that are protected by the folder that they are in. */
const inFolders: readonly string[] = [
  any,
  "credentials",
  "config",
  "shadow",
  "passwd",
  "sudoers",
  "environ",
  "mem",
  "hosts.yml",
  "settings.json",
];

const folders: readonly string[] = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".docker",
  ".kube",
  ".config",
  "gcloud",
  "gh",
  "etc",
  "proc",
  "self",
  "root",
  "cwd",
  ".git",
  "hooks",
  ".claude",
  ".cursor",
  ".vscode",
  ".interlock",
  "cron.d",
];

const maxExpansions = 256;

/** Paths that a path with wildcards may name, where it names something: `.s?h/id*` is `.ssh/id_rsa`; `src/*.ts` is nothing that matters. */
export const expansionsOf = ({ anchor, parts }: Folded, isShell: boolean): readonly Folded[] => {
  let found: (readonly string[])[] = [[]];
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const choices = choicesFor(part, isLast, isShell);
    found = found.flatMap((before) => choices.map((choice) => (choice === null ? before : [...before, choice])));
    if (found.length > maxExpansions) found = found.slice(0, maxExpansions);
  }
  return found.map((expanded) => ({ anchor, parts: expanded }));
};

/** Null: the part may be no folder at all, as `**` may. */
const choicesFor = (part: string, isLast: boolean, isShell: boolean): readonly (string | null)[] => {
  const short = shortNameAsGlob(part);
  if (short !== null) {
    const all = [...files, ...inFolders, ...folders];
    return [any, ...[short, `.${short}`].flatMap((pattern) => all.filter(meaningOf(pattern, false)))];
  }
  if (!hasWildcard(part)) return [part];
  if (part === "**") return [null, any];
  const patterns = alternatives(part);
  const found = new Set<string>(patterns.filter((pattern) => !hasWildcard(pattern)));
  for (const pattern of patterns.filter(hasWildcard)) {
    // What it says besides stays: `*.pub` is the public half of any key.
    found.add(pattern.replaceAll(/[*?\0]+|\[[^\]]{0,64}\]/g, any));
    // `*` and `?` ask for nothing in particular; with a dot before they ask for what is hidden.
    const says = saidLetters(pattern) > 0;
    if (says || pattern.startsWith("."))
      for (const name of (isLast ? [...files, ...folders] : folders).filter(meaningOf(pattern, isShell)))
        found.add(name);
    if (isLast) for (const name of inFolders.filter(says ? matcherOf(pattern) : () => true)) found.add(name);
  }
  return [...found];
};

/** Does a pattern ask for this name in particular? */
const meaningOf = (pattern: string, isShell: boolean): ((name: string) => boolean) => {
  const matches = matcherOf(pattern);
  const leavesHiddenOut = isShell && /^[*?[]/.test(pattern);
  const said = saidLetters(pattern);
  return (name) => {
    if (!matches(name) || (leavesHiddenOut && name.startsWith("."))) return false;
    // `*.json` asks for JSON; `cred*.json` for credentials.
    const extension = /\.(?:json|ya?ml)$/.exec(name)?.[0];
    if (extension !== undefined && matches(`${any}${extension}`)) return false;
    if (name.startsWith(".") || name.startsWith(any) || isFolder.has(name)) return true;
    return said >= (name.startsWith("id_") ? 2 : 3);
  };
};

const isFolder: ReadonlySet<string> = new Set(folders);
