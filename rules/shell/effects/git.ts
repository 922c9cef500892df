import type { Effect } from "../effect.ts";
import type { Word } from "../word.ts";
import { readOptions } from "./options.ts";
import {
  type Call,
  has,
  here,
  movedTo,
  onAddress,
  onFiles,
  onSystem,
  orHere,
  type Program,
  type Programs,
  runsCode,
  valuesOf,
} from "./program.ts";

const globals = {
  short: "Cc",
  long: ["git-dir", "work-tree", "namespace", "exec-path", "config-env"],
  leading: true,
} as const;
const grammar = {
  short: "mFCcobBjSuXnst",
  long: [
    "message",
    "file",
    "branch",
    "depth",
    "author",
    "date",
    "format",
    "since",
    "until",
    "output",
    "output-directory",
    "upload-pack",
    "receive-pack",
    "template",
    "reference",
    "origin",
    "strategy",
    "source",
    "grep",
    "config",
  ],
} as const;

/** Settings that change what git runs, and for whom: https://git-scm.com/docs/git-config. Not a name, an address or a taste. */
const lasting =
  /^(?:alias\.|include|core\.(?:sshcommand|hookspath|fsmonitor|gitproxy)|credential\.|url\.|http\.(?:.*\.)?(?:proxy|sslverify)|filter\.|diff\.|init\.templatedir)/i;

const isAddress = ({ text }: Word): boolean => /:\/\/|^[^/\s]+@[^/\s]+:|^[\w.-]+\.[a-z]{2,}:|\0/i.test(text);

/** What a repository is fetched from or pushed to: an address, a folder, or a name that the repository knows. */
const onRepository = (call: Call, words: readonly Word[], direction: "sends" | "fetches"): readonly Effect[] => [
  ...onAddress(
    call,
    words.filter((word) => isAddress(word) && !word.text.startsWith("file:")),
    direction,
  ),
  ...(words.some(({ text }) => /^ext::/i.test(text)) ? runsCode(call) : []),
  ...onFiles(
    direction === "sends" ? "writes" : "reads",
    call,
    words.filter((word) => !isAddress(word) && /^[./~]/.test(word.text)),
    "below",
  ),
];

type Subcommand = (call: Call) => readonly Effect[];

const none: Subcommand = () => [];
const reading: Subcommand = (call) =>
  onFiles(
    "reads",
    call,
    call.operands.filter(({ text }) => /[./]/.test(text)),
  );

const shared = /^(?:(?:refs\/heads\/)?(?:main|master|trunk|develop|production|release\b.*))$/;

/** With a lease nobody else's work is lost, unless everybody works there. */
const losesWork = (call: Call): boolean => {
  if (has(call, "n", "dry-run")) return false;
  const refs = call.operands.slice(1).map(({ text }) => text);
  if (has(call, "f", "mirror", "delete", "d", "prune") || call.options.some(({ name }) => name === "force"))
    return true;
  if (refs.some((ref) => /^[+:]/.test(ref))) return true;
  return has(call, "force-with-lease") && refs.some((ref) => shared.test(ref.slice(ref.indexOf(":") + 1)));
};

const isEverything = ({ operands }: Call): boolean =>
  operands.some(({ text }) => text === "." || text === ":/" || text === "*");

const subcommands: Readonly<Record<string, Subcommand>> = {
  clone: (call) => [
    ...onRepository(call, call.operands.slice(0, 1), "fetches"),
    ...onFiles("writes", call, orHere(call.operands.slice(1))),
    ...(has(call, "upload-pack", "u", "template") ? runsCode(call) : []),
  ],
  fetch: (call) => [
    ...onRepository(call, call.operands.slice(0, 1), "fetches"),
    ...(has(call, "upload-pack") ? runsCode(call) : []),
  ],
  pull: (call) => onRepository(call, call.operands.slice(0, 1), "fetches"),
  "ls-remote": (call) => [
    ...onRepository(call, call.operands.slice(0, 1), "fetches"),
    ...(has(call, "upload-pack") ? runsCode(call) : []),
  ],
  push: (call) => [
    ...onRepository(call, call.operands.slice(0, 1), "sends"),
    ...(losesWork(call) ? onSystem(call, "rewrites_history") : []),
    ...(has(call, "receive-pack", "exec") ? runsCode(call) : []),
  ],
  remote: (call) =>
    /^(?:add|set-url)$/.test(call.operands[0]?.text ?? "") ? onRepository(call, call.operands.slice(2), "sends") : [],
  submodule: (call) => [...onRepository(call, call.operands.slice(1, 2), "fetches")],
  clean: (call) =>
    has(call, "f", "force") && !has(call, "n", "dry-run")
      ? [...onFiles("deletes", call, orHere(call.operands), "below"), ...onSystem(call, "discards_work")]
      : [],
  reset: (call) => (has(call, "hard", "merge", "keep") ? onSystem(call, "discards_work") : []),
  checkout: (call) => (has(call, "f", "force") || isEverything(call) ? onSystem(call, "discards_work") : []),
  switch: (call) => (has(call, "f", "force", "discard-changes") ? onSystem(call, "discards_work") : []),
  restore: (call) => (isEverything(call) && !has(call, "staged", "S") ? onSystem(call, "discards_work") : []),
  stash: (call) => (call.operands[0]?.text === "clear" ? onSystem(call, "discards_work") : []),
  reflog: (call) =>
    /^(?:expire|delete)$/.test(call.operands[0]?.text ?? "") ? onSystem(call, "rewrites_history") : [],
  gc: (call) =>
    call.options.some(({ name, value }) => name === "prune" && /^(?:now|all)$/.test(value?.text ?? ""))
      ? onSystem(call, "rewrites_history")
      : [],
  "filter-branch": (call) => [...onSystem(call, "rewrites_history"), ...runsCode(call)],
  "filter-repo": (call) => onSystem(call, "rewrites_history"),
  // A branch of one's own goes every day.
  branch: (call) =>
    (has(call, "D") || (has(call, "d", "delete") && has(call, "f", "force"))) &&
    call.operands.some(({ text }) => shared.test(text))
      ? onSystem(call, "rewrites_history")
      : [],
  "update-ref": (call) => (has(call, "d") ? onSystem(call, "rewrites_history") : []),
  rm: (call) =>
    has(call, "cached") ? [] : onFiles("deletes", call, call.operands, has(call, "r") ? "below" : "alone"),
  mv: (call) => [
    ...onFiles("deletes", call, call.operands.slice(0, -1)),
    ...onFiles("writes", call, call.operands.slice(-1)),
  ],
  add: (call) => onFiles("reads", call, call.operands, "below"),
  grep: (call) => onFiles("reads", call, [here], "below"),
  apply: (call) => onFiles("reads", call, call.operands),
  am: (call) => onFiles("reads", call, call.operands),
  "hash-object": (call) => onFiles("reads", call, call.operands),
  diff: (call) => (has(call, "no-index") ? onFiles("reads", call, call.operands, "below") : reading(call)),
  archive: (call) => onFiles("writes", call, valuesOf(call, "o", "output")),
  bundle: (call) =>
    call.operands[0]?.text === "create"
      ? onFiles("writes", call, call.operands.slice(1, 2))
      : onFiles("reads", call, call.operands.slice(1, 2)),
  "format-patch": (call) => onFiles("writes", call, valuesOf(call, "o", "output-directory")),
  init: (call) => [
    ...onFiles("writes", call, call.operands.slice(0, 1)),
    ...(has(call, "template") ? runsCode(call) : []),
  ],
  worktree: (call) =>
    call.operands[0]?.text === "add"
      ? onFiles("writes", call, call.operands.slice(1, 2))
      : // Without force git keeps a worktree with changes, and what was committed stays in the repository.
        call.operands[0]?.text === "remove" && has(call, "f", "force")
        ? onFiles("deletes", call, call.operands.slice(1, 2), "below")
        : [],
  difftool: (call) => (has(call, "x", "extcmd") ? runsCode(call) : []),
  config: (call) => {
    const [name, value] = call.operands[0]?.text === "set" ? call.operands.slice(1) : call.operands;
    return [
      ...(has(call, "global") && value !== undefined && lasting.test(name?.text ?? "")
        ? onFiles("writes", call, [{ text: "~/.gitconfig", known: true }])
        : []),
      ...(has(call, "system") && value !== undefined
        ? onFiles("writes", call, [{ text: "/etc/gitconfig", known: true }])
        : []),
      ...(has(call, "f", "file") ? onFiles("writes", call, valuesOf(call, "f", "file")) : []),
    ];
  },
  show: none,
  log: none,
};

const git: Program = {
  grammar: globals,
  does: (outer) => {
    const [name, ...args] = outer.operands;
    if (name === undefined) return [];
    const moved = valuesOf(outer, "C").reduce((call, target) => movedTo(call, target), outer);
    const call = { ...moved, args, ...readOptions(args, grammar) };
    return [
      ...(outer.options.some((option) => option.name === "exec-path" && option.value !== null) ? runsCode(outer) : []),
      ...(name.known
        ? Object.hasOwn(subcommands, name.text)
          ? (subcommands[name.text] as Subcommand)(call)
          : []
        : []),
    ];
  },
};

/** `gh repo delete`, `gh secret delete`, `gh api -X DELETE`. A comment or a label is not what a project is made of. */
const removesOnHub = (call: Call): boolean => {
  const [what = "", how = ""] = call.operands.map(({ text }) => text);
  if (what === "api") return valuesOf(call, "X", "method").some(({ text }) => /^delete$/i.test(text));
  return (
    (/^(?:repo|release|secret|variable|environment|codespace|ssh-key|gpg-key)$/.test(what) && how === "delete") ||
    (what === "repo" && how === "archive")
  );
};

/** A repository that everybody may read, a merge past its checks, a workflow that does not run. */
const weakensHub = (call: Call): boolean => {
  const [what = "", how = ""] = call.operands.map(({ text }) => text);
  return (
    (what === "repo" && how === "edit" && has(call, "visibility")) ||
    (what === "pr" && how === "merge" && has(call, "admin")) ||
    (what === "workflow" && how === "disable")
  );
};

const gh: Program = {
  grammar: {
    short: "RFftbHXq",
    long: ["repo", "visibility", "field", "raw-field", "input", "body-file", "title", "body", "method"],
  },
  does: (call) => [
    ...onFiles("reads", call, valuesOf(call, "input", "body-file")),
    ...onFiles(
      "reads",
      call,
      valuesOf(call, "F", "field")
        .filter(({ text }) => text.includes("=@"))
        .map((word) => ({ ...word, text: word.text.slice(word.text.indexOf("=@") + 2) })),
    ),
    ...(weakensHub(call) ? onSystem(call, "weakens_guard") : []),
    ...(removesOnHub(call) ? onSystem(call, "removes_resources") : []),
    ...(call.operands[0]?.text === "gist" && call.operands[1]?.text === "create"
      ? [
          ...onFiles("reads", call, call.operands.slice(2)),
          ...onAddress(call, [{ text: "https://gist.github.com", known: true }], "sends"),
        ]
      : []),
  ],
};

/** git and what is like it. Reads of what git keeps itself are no effects: history is the repository's own. */
export const gitPrograms: Programs = { git, gh, hub: git };
