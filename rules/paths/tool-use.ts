import { remembered } from "../remembered.ts";
import { toolWords } from "../tool-words.ts";
import type { FileUse } from "./protected/member.ts";

/** What a tool does to the files that it is given, as its name says. `unknown` tools may do anything. */
export type ToolUse = "reads" | "writes" | "deletes" | "lists" | "copies" | "alters" | "unknown";

const verbs: Readonly<Record<string, ToolUse>> = Object.freeze({
  read: "reads",
  get: "reads",
  load: "reads",
  open: "reads",
  view: "reads",
  show: "reads",
  cat: "reads",
  head: "reads",
  tail: "reads",
  search: "reads",
  grep: "reads",
  fetch: "reads",
  parse: "reads",
  index: "reads",
  ingest: "reads",
  import: "reads",
  upload: "reads",
  attach: "reads",
  send: "reads",
  analyze: "reads",
  summarize: "reads",
  review: "reads",
  query: "reads",
  hash: "reads",
  diff: "reads",
  list: "lists",
  ls: "lists",
  glob: "lists",
  find: "lists",
  stat: "lists",
  exists: "lists",
  tree: "lists",
  access: "lists",
  lstat: "lists",
  readdir: "lists",
  opendir: "lists",
  watch: "lists",
  write: "writes",
  edit: "writes",
  multiedit: "writes",
  create: "writes",
  update: "writes",
  save: "writes",
  append: "writes",
  insert: "writes",
  replace: "writes",
  patch: "writes",
  put: "writes",
  touch: "writes",
  download: "writes",
  export: "writes",
  extract: "writes",
  unzip: "writes",
  untar: "writes",
  mkdir: "writes",
  str: "writes",
  move: "writes",
  rename: "writes",
  mv: "writes",
  truncate: "writes",
  delete: "deletes",
  remove: "deletes",
  unlink: "deletes",
  rm: "deletes",
  rmdir: "deletes",
  copy: "copies",
  cp: "copies",
  link: "copies",
  symlink: "copies",
  chmod: "alters",
  chown: "alters",
  utimes: "alters",
});

/** Node's own functions whose first known word says another thing than they do. */
const ofNode: Readonly<Record<string, ToolUse>> = Object.freeze({
  "fs.createReadStream": "reads",
  "fs.createWriteStream": "writes",
  "fs.readlink": "lists",
  "fs.realpath": "lists",
  "fs.statfs": "lists",
  "fs.watchFile": "lists",
  "fs.mkdtemp": "writes",
  "fs.copyFile": "copies",
  "fs.lchown": "alters",
  "fs.lchmod": "alters",
  "fs.lutimes": "alters",
});

/** `mcp__files__read_file`, `fs.readFile`, `Read`: the words of a name after its last namespace, the verb being the first that is known. */
export const toolUse = remembered(
  (action): ToolUse => (Object.hasOwn(ofNode, action) ? ofNode[action] : undefined) ?? useOf(action),
);

export const bareName = (action: string): string => {
  const at = Math.max(
    action.lastIndexOf("__"),
    action.lastIndexOf(".") - 1,
    action.lastIndexOf("/") - 1,
    action.lastIndexOf(":") - 1,
  );
  return at < 0 ? action : action.slice(at + 2);
};

const useOf = (action: string): ToolUse => {
  for (const word of toolWords(bareName(action))) if (Object.hasOwn(verbs, word)) return verbs[word] as ToolUse;
  return "unknown";
};

const source = /(?:^|[._[\]])(?:source|src|from|path|existing_?path|old_?path|target)[^.]*$/i;

/** `fs.open` for more than reading, by its `flags`: a word, or Node's number, whose lowest bits are the access. */
export const opensForWriting = (action: string, flags: unknown): boolean =>
  (action === "fs.open" && typeof flags === "string" && flags !== "r" && flags !== "rs" && flags !== "sr") ||
  (action === "fs.open" && typeof flags === "number" && (flags & 3) !== 0);

/** What a tool of this use does to the file in one argument. */
export const usesOf = (use: ToolUse, place: string): readonly FileUse[] => {
  switch (use) {
    case "reads":
      return reading;
    case "lists":
      return listing;
    case "deletes":
      return deleting;
    case "alters":
      return altering;
    case "writes":
      return writing;
    case "copies":
      // What it copies is read; where it goes is written. A link makes its target readable by another name.
      return source.test(place) ? reading : copying;
    case "unknown":
      return anything;
  }
};

const reading: readonly FileUse[] = Object.freeze(["read", "list"]);
const listing: readonly FileUse[] = Object.freeze(["list"]);
const deleting: readonly FileUse[] = Object.freeze(["delete", "write"]);
const altering: readonly FileUse[] = Object.freeze(["alter"]);
const writing: readonly FileUse[] = Object.freeze(["write", "delete"]);
const copying: readonly FileUse[] = Object.freeze(["read", "write", "delete"]);
const anything: readonly FileUse[] = Object.freeze(["read", "list", "write", "delete", "alter"]);
