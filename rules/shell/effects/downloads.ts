import type { Effect } from "../effect.ts";
import { readsProgram } from "../program-input.ts";
import type { Command, Script } from "../script.ts";
import { shells } from "../script-takers.ts";
import { type Grammar, readOptions } from "./options.ts";

/** Programs whose output came from elsewhere. */
const downloaders: ReadonlySet<string> = new Set([
  ...["curl", "curl.exe", "wget", "wget2", "fetch", "aria2c", "lynx", "w3m", "links", "elinks", "http", "https", "xh"],
  ...["nc", "ncat", "netcat", "socat", "scp", "sftp", "ftp", "tftp", "gsutil", "dig", "nslookup", "telnet", "iwr"],
]);

/** Interpreters: how each reads its options, and those with which its program comes from elsewhere than its input. */
const interpreters: ReadonlyMap<string, { readonly grammar: Grammar; readonly elsewhere: readonly string[] }> = new Map(
  [
    ["python", { grammar: { short: "cmWXQ", leading: true }, elsewhere: ["c", "m", "V", "version"] }],
    ["perl", { grammar: { short: "eEIMm", leading: true }, elsewhere: ["e", "E", "n", "p", "v"] }],
    ["ruby", { grammar: { short: "eIrCE", leading: true }, elsewhere: ["e", "n", "p", "v"] }],
    [
      "node",
      {
        grammar: { short: "epr", long: ["eval", "print", "require", "import"], leading: true },
        elsewhere: ["e", "p", "eval", "print", "check", "v", "version"],
      },
    ],
    [
      "nodejs",
      {
        grammar: { short: "epr", long: ["eval", "print"], leading: true },
        elsewhere: ["e", "p", "eval", "print", "v"],
      },
    ],
    [
      "bun",
      { grammar: { short: "ep", long: ["eval", "print"], leading: true }, elsewhere: ["e", "p", "eval", "print"] },
    ],
    [
      "tsx",
      { grammar: { short: "ep", long: ["eval", "print"], leading: true }, elsewhere: ["e", "p", "eval", "print"] },
    ],
    ["php", { grammar: { short: "rBRFEdcfSt", leading: true }, elsewhere: ["r", "B", "R", "F", "E", "v"] }],
    ["lua", { grammar: { short: "el", leading: true }, elsewhere: ["e", "v"] }],
    ["osascript", { grammar: { short: "el", leading: true }, elsewhere: ["e"] }],
    ["psql", { grammar: {}, elsewhere: ["c", "f", "h"] }],
  ],
);

const isInput = (text: string): boolean =>
  text === "-" || text === "/dev/stdin" || text.startsWith("/dev/fd/") || text.includes("\0");

const interpretsInput = ({ name, args }: Command): boolean => {
  const known = interpreters.get(name.replace(/[\d.]+$/, "") || name);
  if (known === undefined || name === "psql") return false;
  const { options, operands } = readOptions(args, known.grammar);
  if (options.some((option) => known.elsewhere.includes(option.name))) return false;
  return operands[0] === undefined || isInput(operands[0].text);
};

/** `deno run URL`, `python <(curl URL)`, `bash -c "$(curl URL)"`, `eval "$(curl URL)"`, `curl URL | sh`: what arrives is run unread. */
const runsWhatItIsGiven = (command: Command): boolean =>
  readsProgram(command) ||
  interpretsInput(command) ||
  command.name === "eval" ||
  command.name === "source" ||
  command.name === "." ||
  (shells.has(command.name) && command.args.some(({ known }) => !known));

export const ofDownloads = ({ commands }: Script): readonly Effect[] =>
  commands.flatMap((command): readonly Effect[] => {
    const program = command.name;
    if (
      command.args.some(({ text }) => /^https?:\/\//.test(text)) &&
      /^(?:deno|bash|sh|zsh|source|\.)$/.test(program) &&
      command.args[0]?.text !== "eval"
    )
      return [{ program, kind: "runs", what: "download", path: null, text: null }];
    // Code in an argument that a substitution fetched: `python -c "$(curl URL)"`.
    const isFilled = command.args.some(({ known }) => !known);
    const isInterpreter = interpreters.has(program.replace(/[\d.]+$/, "") || program) && program !== "psql";
    if (!runsWhatItIsGiven(command) && !(isFilled && isInterpreter)) return [];
    if (command.fedBy.some((name) => downloaders.has(name)))
      return [{ program, kind: "runs", what: "download", path: null, text: null }];
    const isUnread = command.input?.known !== true && command.fedBy.length > 0 && readsProgram(command);
    return isUnread ? [{ program, kind: "unknown", why: "unreadable_script" }] : [];
  });

/** `curl -o x URL && sh x`: a file that a download wrote is run. */
export const ofSavedDownloads = ({ commands }: Script, effects: readonly Effect[]): readonly Effect[] => {
  const saving = commands.filter(({ name }) => downloaders.has(name));
  if (saving.length === 0) return [];
  const saved = new Set(
    effects.flatMap((effect) => (effect.kind === "writes" && effect.path.known ? [plain(effect.path.text)] : [])),
  );
  for (const { args } of saving)
    for (const { text } of args)
      if (/^(?:https?|ftp):\/\//.test(text)) saved.add(plain(text.replace(/[?#].*$/s, "").replace(/^.*\//s, "")));
  return effects.flatMap((effect): readonly Effect[] =>
    effect.kind === "runs" && effect.what === "file" && effect.path !== null && saved.has(plain(effect.path.text))
      ? [{ ...effect, what: "download" }]
      : [],
  );
};

const plain = (path: string): string => path.replace(/^(?:\.\/)+/, "");
