import type { Folded } from "../folded.ts";
import { alternatives, hasWildcard, mayMatch, saidLetters } from "../wildcard.ts";
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
  if (short !== null) return matching([short, `.${short}`], [...files, ...inFolders, ...folders], any, false);
  if (!hasWildcard(part)) return [part];
  if (part === "**") return [null, any];
  const patterns = alternatives(part);
  const literal = patterns.filter((pattern) => !hasWildcard(pattern));
  const open = patterns.filter(hasWildcard);
  const found = new Set<string>(literal);
  if (open.length > 0) found.add(any);
  for (const pattern of open) {
    // `*` and `?` ask for nothing in particular; with a dot before they ask for what is hidden.
    const says = saidLetters(pattern) > 0;
    if (says || pattern.startsWith("."))
      for (const name of matching([pattern], isLast ? [...files, ...folders] : folders, null, isShell)) found.add(name);
    if (isLast)
      for (const name of says ? inFolders.filter((one) => mayMatch(pattern, one)) : inFolders) found.add(name);
  }
  return [...found];
};

const matching = (
  patterns: readonly string[],
  names: readonly string[],
  always: string | null,
  isShell: boolean,
): readonly string[] => [
  ...(always === null ? [] : [always]),
  ...names.filter((name) => patterns.some((pattern) => means(pattern, name, isShell))),
];

const means = (pattern: string, name: string, isShell: boolean): boolean => {
  if (isShell && name.startsWith(".") && /^[*?[]/.test(pattern)) return false;
  if (!mayMatch(pattern, name)) return false;
  if (name.startsWith(".") || name.startsWith(any)) return !isForExtension(pattern, name);
  return saidLetters(pattern) >= (name.startsWith("id_") ? 2 : 3) && !isForExtension(pattern, name);
};

/** `*.json` asks for JSON; `cred*.json` for credentials. */
const isForExtension = (pattern: string, name: string): boolean => {
  const extension = /\.(?:json|ya?ml)$/.exec(name)?.[0];
  return extension !== undefined && mayMatch(pattern, `${any}${extension}`);
};
