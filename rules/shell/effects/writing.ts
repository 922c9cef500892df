import type { Effect } from "../effect.ts";
import { behind, type Call, has, onFiles, orHere, type Program, type Programs, valuesOf } from "./program.ts";

/** Sources, then where to; with `-t` the target is an option. */
const sourcesAndTarget = (call: Call): readonly [Call["operands"], Call["operands"]] => {
  const target = valuesOf(call, "t", "target-directory");
  if (target.length > 0) return [call.operands, target];
  return [call.operands.slice(0, -1), call.operands.slice(-1)];
};

const copier: Program = {
  grammar: { short: "tS", long: ["target-directory", "suffix", "no-preserve"] },
  does: (call) => {
    const [sources, target] = sourcesAndTarget(call);
    const isBelow = has(call, "r", "R", "a", "recursive", "archive");
    return [
      ...onFiles("reads", call, sources, isBelow ? "below" : "alone"),
      ...onFiles("writes", call, target, isBelow ? "below" : "alone"),
    ];
  },
};

/** The mode or the owner comes first; a mode may begin with a dash, as options do: `chmod -x FILE`. */
const owner = (short: string, modes: RegExp | null = null): Program => ({
  grammar: { short, long: ["reference", "from"] },
  does: (call) => {
    const isModeAnOption = modes !== null && call.options.some(({ name }) => modes.test(name));
    const files = has(call, "reference") || isModeAnOption ? call.operands : call.operands.slice(1);
    return onFiles("alters", call, files, has(call, "R", "recursive") ? "below" : "alone");
  },
});

const writer = (short = ""): Program => ({
  grammar: { short },
  does: (call) => onFiles("writes", call, call.operands),
});

const editsInPlace = (call: Call): boolean => has(call, "i", "in-place");

/** `w FILE`, `r FILE` and `e` inside a sed program are read by nobody here: a program of sed's is code. */
const sedFiles = (call: Call): readonly Effect[] => {
  const files = has(call, "e", "f", "expression", "file") ? call.operands : call.operands.slice(1);
  return [
    ...onFiles("reads", call, valuesOf(call, "f", "file")),
    ...onFiles("reads", call, files),
    ...(editsInPlace(call) ? onFiles("writes", call, files) : []),
  ];
};

/** Programs that make, change and remove files. */
export const writingPrograms: Programs = {
  tee: writer(),
  touch: {
    grammar: { short: "drt", long: ["date", "reference"] },
    does: (call) => onFiles("writes", call, call.operands),
  },
  truncate: {
    grammar: { short: "rs", long: ["size", "reference"] },
    does: (call) => onFiles("writes", call, call.operands),
  },
  sponge: writer(),
  mkdir: { grammar: { short: "mZ", long: ["mode"] }, does: (call) => onFiles("writes", call, call.operands) },
  mkfifo: writer("m"),
  mknod: { grammar: { short: "m" }, does: (call) => onFiles("writes", call, call.operands.slice(0, 1)) },
  mktemp: {
    grammar: { short: "p", long: ["tmpdir", "suffix"] },
    does: (call) => onFiles("writes", call, call.operands),
  },
  cp: copier,
  install: {
    grammar: { short: "tSmog", long: ["target-directory", "suffix", "mode", "owner", "group"] },
    does: (call) => {
      if (has(call, "d", "directory")) return onFiles("writes", call, call.operands);
      const [sources, target] = sourcesAndTarget(call);
      return [...onFiles("reads", call, sources), ...onFiles("writes", call, target)];
    },
  },
  ditto: copier,
  mv: {
    grammar: { short: "tS", long: ["target-directory", "suffix"] },
    does: (call) => {
      const [sources, target] = sourcesAndTarget(call);
      return [
        ...onFiles("reads", call, sources, "below"),
        ...onFiles("deletes", call, sources, "below"),
        ...onFiles("writes", call, target),
      ];
    },
  },
  rename: { does: (call) => onFiles("alters", call, call.operands.slice(-1)) },
  // A link gives what it points to another name: whoever reads it is judged by that name alone.
  ln: {
    grammar: { short: "tS", long: ["target-directory", "suffix"] },
    does: (call) => {
      const [sources, target] = sourcesAndTarget(call);
      return [
        ...onFiles("reads", call, sources.length === 0 ? target : sources, "below"),
        ...onFiles("writes", call, sources.length === 0 ? [] : target),
      ];
    },
  },
  link: {
    does: (call) => [
      ...onFiles("reads", call, call.operands.slice(0, 1)),
      ...onFiles("writes", call, call.operands.slice(1)),
    ],
  },
  rm: {
    grammar: {},
    does: (call) => onFiles("deletes", call, call.operands, has(call, "r", "R", "recursive") ? "below" : "alone"),
  },
  unlink: { does: (call) => onFiles("deletes", call, call.operands) },
  rmdir: { does: (call) => onFiles("deletes", call, call.operands) },
  rimraf: { does: (call) => onFiles("deletes", call, call.operands, "below") },
  trash: { does: (call) => onFiles("deletes", call, call.operands, "below") },
  "trash-put": { does: (call) => onFiles("deletes", call, call.operands, "below") },
  del: { does: (call) => onFiles("deletes", call, call.operands) },
  srm: {
    does: (call) => onFiles("deletes", call, call.operands, has(call, "r", "R", "recursive") ? "below" : "alone"),
  },
  shred: {
    grammar: { short: "ns", long: ["iterations", "size", "random-source"] },
    does: (call) => [...onFiles("deletes", call, call.operands), ...onFiles("writes", call, call.operands)],
  },
  dd: {
    does: (call) => [
      ...onFiles(
        "reads",
        call,
        call.args.filter(({ text }) => text.startsWith("if=")).map((word) => behind(word, "=")),
      ),
      ...onFiles(
        "writes",
        call,
        call.args.filter(({ text }) => text.startsWith("of=")).map((word) => behind(word, "=")),
      ),
    ],
  },
  split: {
    grammar: { short: "abClnt" },
    does: (call) => [
      ...onFiles("reads", call, call.operands.slice(0, 1)),
      ...onFiles("writes", call, call.operands.slice(1)),
    ],
  },
  csplit: { does: (call) => onFiles("reads", call, call.operands.slice(0, 1)) },
  sed: {
    // -i takes no argument of its own: what is attached is the ending of the copy that it keeps.
    grammar: { short: "efl", long: ["expression", "file", "line-length"] },
    does: sedFiles,
  },
  gsed: { grammar: { short: "efl", long: ["expression", "file"] }, does: sedFiles },
  patch: {
    grammar: { short: "pidorBFgVYz", long: ["strip", "input", "directory", "output"] },
    does: (call) => [
      ...onFiles("reads", call, valuesOf(call, "i", "input")),
      ...onFiles(
        "writes",
        call,
        orHere([...call.operands.slice(0, 1), ...valuesOf(call, "o", "output", "d", "directory")]),
      ),
    ],
  },
  ed: writer("p"),
  ex: { grammar: { short: "c" }, does: (call) => onFiles("writes", call, call.operands) },
  vi: {
    grammar: { short: "cuS" },
    does: (call) => [...onFiles("reads", call, call.operands), ...onFiles("writes", call, call.operands)],
  },
  vim: {
    grammar: { short: "cuS" },
    does: (call) => [...onFiles("reads", call, call.operands), ...onFiles("writes", call, call.operands)],
  },
  nano: { does: (call) => [...onFiles("reads", call, call.operands), ...onFiles("writes", call, call.operands)] },
  chmod: owner("", /^[rwxXst]$/),
  chown: owner(""),
  chgrp: owner(""),
  chattr: owner("pv", /^[aAcCdDeijsStTu]$/),
  chflags: owner(""),
  setfacl: {
    grammar: { short: "mxMX", long: ["modify", "remove"] },
    does: (call) => onFiles("alters", call, call.operands, has(call, "R", "recursive") ? "below" : "alone"),
  },
  setfattr: { grammar: { short: "nvx" }, does: (call) => onFiles("alters", call, call.operands) },
  xattr: { does: (call) => onFiles("alters", call, call.operands.slice(-1)) },
};
