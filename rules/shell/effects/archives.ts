import type { Effect } from "../effect.ts";
import type { Word } from "../word.ts";
import {
  type Call,
  has,
  here,
  movedTo,
  onFiles,
  orHere,
  type Program,
  type Programs,
  runsCode,
  valuesOf,
} from "./program.ts";

/** `tar czf x.tgz DIR` has its letters without a dash; the values of its letters follow in their order: `tar cfC x.tar DIR .`. */
const withDash = (args: readonly Word[]): readonly Word[] => {
  const [first, ...rest] = args;
  if (first === undefined || !/^[A-Za-z]+$/.test(first.text)) return args;
  const letters = [...first.text].map((letter) => ({ text: `-${letter}`, known: true }));
  const valued = letters.filter(({ text }) => tarGrammar.short.includes(text.slice(1)));
  return [
    ...letters.filter((letter) => !valued.includes(letter)),
    ...valued.flatMap((letter, at) => [letter, ...rest.slice(at, at + 1)]),
    ...rest.slice(valued.length),
  ];
};

const tarGrammar = {
  short: "fCTXbgIHLNVK",
  long: [
    ...["file", "directory", "files-from", "exclude-from", "exclude", "transform", "xform", "strip-components"],
    ...["owner", "group", "mode", "mtime", "use-compress-program", "to-command", "checkpoint-action", "format"],
    ...["info-script", "new-volume-script", "rsh-command", "rmt-command"],
  ],
};

const tar = (call: Call): readonly Effect[] => {
  const archive = valuesOf(call, "f", "file");
  const inside = movedTo(call, valuesOf(call, "C", "directory")[0]);
  const runs = has(
    call,
    "to-command",
    "checkpoint-action",
    "use-compress-program",
    "I",
    "info-script",
    "new-volume-script",
    "rsh-command",
    "rmt-command",
  )
    ? valuesOf(
        call,
        "to-command",
        "checkpoint-action",
        "use-compress-program",
        "I",
        "info-script",
        "new-volume-script",
        "rsh-command",
        "rmt-command",
      ).some(({ text }) => !/^(?:gzip|pigz|bzip2|xz|zstd|lz4|lzma|brotli)(?: -[\w=-]+)*$/.test(text))
    : false;
  return [
    ...(runs ? runsCode(call) : []),
    ...onFiles("reads", call, valuesOf(call, "T", "files-from", "X", "exclude-from")),
    ...(has(call, "c", "create", "r", "append", "u", "update", "A", "catenate")
      ? [...onFiles("reads", inside, inside.operands, "below"), ...onFiles("writes", call, archive)]
      : [
          ...onFiles("reads", call, archive),
          ...(has(call, "x", "extract", "get") && !has(call, "O", "to-stdout")
            ? onFiles("writes", inside, [here], "below")
            : []),
        ]),
    ...(has(call, "remove-files") ? onFiles("deletes", inside, inside.operands, "below") : []),
  ];
};

const compressor: Program = {
  grammar: { short: "Sbo", long: ["suffix"] },
  does: (call) => {
    const isBelow = has(call, "r", "recursive") ? "below" : "alone";
    const toOutput = has(call, "c", "stdout", "to-stdout", "t", "test", "l", "list");
    return [
      ...onFiles("reads", call, call.operands, isBelow),
      ...(toOutput ? [] : onFiles("writes", call, call.operands, isBelow)),
    ];
  },
};

/** Programs that pack files up, and unpack them. */
export const archivePrograms: Programs = {
  tar: { grammar: tarGrammar, does: tar },
  bsdtar: { grammar: tarGrammar, does: tar },
  gtar: { grammar: tarGrammar, does: tar },
  zip: {
    grammar: { short: "xinbtP", long: ["exclude", "include"] },
    does: (call) => [
      ...onFiles("writes", call, call.operands.slice(0, 1)),
      ...onFiles("reads", call, call.operands.slice(1), has(call, "r", "recurse-paths", "R") ? "below" : "alone"),
      ...(call.args.some(({ text }) => text === "-TT" || text.startsWith("--unzip-command")) ? runsCode(call) : []),
    ],
  },
  unzip: {
    grammar: { short: "dxP" },
    does: (call) => [
      ...onFiles("reads", call, call.operands.slice(0, 1)),
      ...(has(call, "l", "t", "p", "Z", "v") ? [] : onFiles("writes", call, orHere(valuesOf(call, "d")), "below")),
    ],
  },
  "7z": {
    grammar: { short: "optm" },
    does: (call) => {
      const [what, archive, ...files] = call.operands;
      const isPacking = /^[audr]/.test(what?.text ?? "");
      const of = archive === undefined ? [] : [archive];
      return isPacking
        ? [...onFiles("writes", call, of), ...onFiles("reads", call, files, "below")]
        : [
            ...onFiles("reads", call, of),
            ...(/^[ex]$/.test(what?.text ?? "") ? onFiles("writes", call, orHere(valuesOf(call, "o")), "below") : []),
          ];
    },
  },
  cpio: {
    grammar: { short: "DFHIOE", long: ["directory", "file"] },
    does: (call) =>
      has(call, "i", "extract", "p", "pass-through")
        ? onFiles("writes", call, orHere([...valuesOf(call, "D", "directory"), ...call.operands.slice(-1)]), "below")
        : onFiles("writes", call, valuesOf(call, "F", "O", "file")),
  },
  ar: { does: (call) => onFiles("writes", call, call.operands.slice(1, 2)) },
  gzip: compressor,
  gunzip: compressor,
  pigz: compressor,
  bzip2: compressor,
  bunzip2: compressor,
  xz: compressor,
  unxz: compressor,
  zstd: compressor,
  unzstd: compressor,
  lz4: compressor,
  brotli: compressor,
  openssl: {
    grammar: {
      single: true,
      long: [
        "in",
        "out",
        "inkey",
        "key",
        "cert",
        "CAfile",
        "pass",
        "k",
        "K",
        "iv",
        "connect",
        "kfile",
        "passin",
        "passout",
        "days",
        "subj",
        "config",
        "keyout",
        "newkey",
        "servername",
      ],
    },
    does: (call) => [
      ...onFiles("reads", call, valuesOf(call, "in", "inkey", "key", "kfile", "CAfile", "config")),
      ...onFiles("writes", call, valuesOf(call, "out", "keyout")),
      ...valuesOf(call, "connect").map(
        ({ text, known }): Effect => ({ program: call.program, kind: "reaches", address: text, known, sends: true }),
      ),
      ...(call.operands[0]?.text === "dgst" ? onFiles("reads", call, call.operands.slice(1)) : []),
    ],
  },
  gpg: {
    grammar: { short: "orus", long: ["output", "recipient", "local-user", "homedir", "passphrase", "passphrase-file"] },
    does: (call) => [
      ...onFiles("reads", call, [...call.operands, ...valuesOf(call, "passphrase-file")]),
      ...onFiles("writes", call, valuesOf(call, "o", "output")),
    ],
  },
  age: {
    grammar: { short: "oriR", long: ["output", "recipient", "identity"] },
    does: (call) => [
      ...onFiles("reads", call, [...call.operands, ...valuesOf(call, "i", "identity")]),
      ...onFiles("writes", call, valuesOf(call, "o", "output")),
    ],
  },
};

/** Arguments as `readOptions` takes them. */
export const archiveArguments: Readonly<Record<string, (args: readonly Word[]) => readonly Word[]>> = {
  tar: withDash,
  bsdtar: withDash,
  gtar: withDash,
};
