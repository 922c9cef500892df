import type { Grammar } from "./options.ts";
import { has, onFiles, orHere, type Program, type Programs, valuesOf } from "./program.ts";

const reader = (grammar: Grammar = {}): Program => ({
  grammar,
  does: (call) => [...onFiles("reads", call, call.operands), ...onFiles("reads", call, valuesOf(call, "files0-from"))],
});

/** The first operand is a pattern or a program, unless an option gave it. */
const afterPattern = (
  grammar: Grammar,
  given: readonly string[],
  fromFile: readonly string[],
  recursive: (call: Parameters<Program["does"]>[0]) => boolean,
): Program => ({
  grammar,
  does: (call) => {
    const files = has(call, ...given, ...fromFile) ? call.operands : call.operands.slice(1);
    const isBelow = recursive(call);
    return [
      ...onFiles("reads", call, valuesOf(call, ...fromFile)),
      ...onFiles("reads", call, isBelow ? orHere(files) : files, isBelow ? "below" : "alone"),
    ];
  },
});

const grep = (always: boolean): Program =>
  afterPattern(
    {
      short: "efmABCdD",
      long: [
        ...["regexp", "file", "max-count", "after-context", "before-context", "context", "include", "exclude"],
        ...["exclude-dir", "exclude-from", "directories", "devices", "label", "color", "colour", "binary-files"],
      ],
    },
    ["e", "regexp"],
    ["f", "file"],
    (call) => always || has(call, "r", "R", "recursive", "dereference-recursive"),
  );

/** ripgrep and what is like it: below the folder where no path is given. */
const search: Program = afterPattern(
  {
    short: "efmgtTABCMjrdE",
    long: [
      ...["regexp", "file", "max-count", "glob", "iglob", "type", "type-not", "after-context", "before-context"],
      ...["context", "max-columns", "threads", "replace", "max-depth", "encoding", "sort", "sortr", "colors", "pre"],
      ...["ignore-file", "ignore", "depth", "file-search-regex"],
    ],
  },
  ["e", "regexp", "files", "type-list"],
  ["f", "file"],
  () => true,
);

const lister = (grammar: Grammar, isBelow: boolean): Program => ({
  grammar,
  does: (call) =>
    onFiles("lists", call, orHere(call.operands), isBelow || has(call, "R", "recursive") ? "below" : "alone"),
});

/** Programs that read files and print what is in them. */
export const readingPrograms: Programs = {
  cat: reader(),
  tac: reader({ short: "s", long: ["separator"] }),
  nl: reader({ short: "bdfhilnsvw" }),
  head: reader({ short: "nc", long: ["lines", "bytes"] }),
  tail: reader({ short: "nc", long: ["lines", "bytes", "pid", "sleep-interval"] }),
  less: reader({ short: "pPtTkoO" }),
  more: reader(),
  bat: reader({ short: "lrHmp", long: ["language", "line-range", "highlight-line", "theme", "style", "paging"] }),
  batcat: reader({ short: "lrHm", long: ["language", "line-range", "highlight-line", "theme", "style", "paging"] }),
  view: reader(),
  wc: reader({ long: ["files0-from"] }),
  uniq: {
    grammar: { short: "fsw" },
    does: (call) => [
      ...onFiles("reads", call, call.operands.slice(0, 1)),
      ...onFiles("writes", call, call.operands.slice(1, 2)),
    ],
  },
  sort: {
    grammar: { short: "oktST", long: ["output", "key", "field-separator", "buffer-size", "files0-from", "parallel"] },
    does: (call) => [
      ...onFiles("reads", call, call.operands),
      ...onFiles("reads", call, valuesOf(call, "files0-from")),
      ...onFiles("writes", call, valuesOf(call, "o", "output")),
    ],
  },
  cut: reader({ short: "bcdf", long: ["bytes", "characters", "delimiter", "fields", "output-delimiter"] }),
  paste: reader({ short: "d", long: ["delimiters"] }),
  join: reader({ short: "12aeijotv" }),
  comm: reader(),
  column: reader({ short: "csNoT" }),
  fold: reader({ short: "w" }),
  fmt: reader({ short: "wpg" }),
  pr: reader(),
  rev: reader(),
  expand: reader({ short: "t" }),
  unexpand: reader({ short: "t" }),
  strings: reader({ short: "nte" }),
  od: reader({ short: "AjNtwS" }),
  hexdump: reader({ short: "enfs" }),
  hd: reader({ short: "nes" }),
  xxd: reader({ short: "cglos", long: ["cols", "len", "seek"] }),
  base64: reader({ short: "w", long: ["wrap"] }),
  base32: reader({ short: "w", long: ["wrap"] }),
  basenc: reader({ short: "w", long: ["wrap"] }),
  file: reader({ short: "mFP" }),
  iconv: {
    grammar: { short: "fto", long: ["from-code", "to-code", "output"] },
    does: (call) => [
      ...onFiles("reads", call, call.operands),
      ...onFiles("writes", call, valuesOf(call, "o", "output")),
    ],
  },
  cmp: reader({ short: "in" }),
  date: {
    grammar: { short: "dfrs", long: ["date", "file", "reference", "set"] },
    does: (call) => onFiles("reads", call, valuesOf(call, "f", "file")),
  },
  diff: {
    grammar: { short: "UCILxXFW", long: ["unified", "context", "exclude", "label", "color", "ignore-matching-lines"] },
    does: (call) => onFiles("reads", call, call.operands, has(call, "r", "recursive") ? "below" : "alone"),
  },
  vimdiff: reader(),
  md5sum: reader(),
  sha1sum: reader(),
  sha256sum: reader(),
  sha512sum: reader(),
  shasum: reader({ short: "a" }),
  cksum: reader({ short: "a" }),
  b2sum: reader(),
  sum: reader(),
  zcat: reader(),
  bzcat: reader(),
  xzcat: reader(),
  zstdcat: reader(),
  zless: reader(),
  source: { does: (call) => onFiles("reads", call, call.operands.slice(0, 1)) },
  jq: afterPattern({ short: "fL", long: ["from-file", "indent", "tab"] }, [], ["f", "from-file"], () => false),
  yq: afterPattern({ short: "pIo" }, [], ["from-file"], () => false),
  xmllint: reader({ long: ["xpath", "schema", "encode"] }),
  awk: afterPattern(
    { short: "fFv", long: ["file", "field-separator", "assign"], leading: true },
    [],
    ["f", "file"],
    () => false,
  ),
  grep: grep(false),
  egrep: grep(false),
  fgrep: grep(false),
  zgrep: grep(false),
  rgrep: grep(true),
  rg: search,
  ag: search,
  ack: search,
  ls: lister({ short: "ITw", long: ["ignore", "hide", "width"] }, false),
  exa: lister({ short: "LI" }, false),
  eza: lister({ short: "LI" }, false),
  dir: lister({}, false),
  vdir: lister({}, false),
  tree: lister({ short: "LIPo", long: ["filelimit"] }, true),
  du: lister({ short: "dBt", long: ["max-depth", "exclude", "block-size", "threshold"] }, true),
  stat: lister({ short: "cft", long: ["format", "printf"] }, false),
  readlink: lister({}, false),
  realpath: lister({ long: ["relative-to", "relative-base"] }, false),
};
