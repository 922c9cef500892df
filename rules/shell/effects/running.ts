import type { Effect } from "../effect.ts";
import type { Word } from "../word.ts";
import type { Grammar } from "./options.ts";
import {
  type Call,
  has,
  movedTo,
  onAddress,
  onFiles,
  onSystem,
  type Program,
  type Programs,
  runsCode,
  runsFile,
  valuesOf,
} from "./program.ts";
import { servedByPython, serves } from "./serving.ts";

/** An interpreter: code in an option, a module, or a script in a file, whose own arguments follow. */
const interpreter = (grammar: Grammar, code: readonly string[], loads: readonly string[] = []): Program => ({
  grammar: { ...grammar, leading: true },
  does: (call) => {
    const [script] = call.operands;
    const isFed =
      (script === undefined || script.text === "-" || script.text.startsWith("/dev/")) && call.input !== null;
    return [
      ...valuesOf(call, ...code).flatMap((text) => runsCode(call, text)),
      ...(isFed && !has(call, ...code, "m") ? runsCode(call, call.input) : []),
      ...valuesOf(call, ...loads).flatMap((file) => runsFile(call, file)),
      ...(script === undefined || has(call, ...code, "m", "module", "version", "V", "v") || script.text === "-"
        ? []
        : runsFile(call, script)),
    ];
  },
});

const python = ({ does, ...rest }: Program): Program => ({
  ...rest,
  does: (call) => [...does(call), ...servedByPython(call)],
});

/** `php -S 0.0.0.0:80 -t DIR` */
const php = ({ does, ...rest }: Program): Program => ({
  ...rest,
  does: (call) => [...does(call), ...(has(call, "S") ? serves(call, valuesOf(call, "t")) : [])],
});

const shell: Program = {
  grammar: { short: "oO", long: ["rcfile", "init-file"], leading: true },
  does: (call) => {
    const [script] = call.operands;
    const takesText = has(call, "c", "s");
    return [
      ...valuesOf(call, "rcfile", "init-file").flatMap((file) => runsFile(call, file)),
      ...(takesText || script === undefined || script.text === "-" || script.text === "/dev/stdin"
        ? []
        : runsFile(call, script)),
    ];
  },
};

const sourcing: Program = {
  does: (call) =>
    call.operands[0] === undefined || call.operands[0].text === "/dev/stdin" ? [] : runsFile(call, call.operands[0]),
};

const unread = ({ program }: Call): Effect => ({ program, kind: "unknown", why: "unreadable_script" });

const make: Program = {
  grammar: { short: "CfIjlOoW", long: ["directory", "file", "makefile", "include-dir", "eval"] },
  does: (call) => {
    const inside = movedTo(call, valuesOf(call, "C", "directory")[0]);
    return [
      ...valuesOf(call, "f", "file", "makefile").flatMap((file) =>
        file.text === "-" ? [unread(call)] : runsFile(inside, file),
      ),
      ...(has(call, "eval", "E") ? [unread(call)] : []),
    ];
  },
};

/** awk's programs may run commands and write files: `system(`, `| "cmd"`, `print > "file"`. */
const runsCommand = ({ text }: Word): boolean =>
  text.includes("system(") || /[|>]\s*(?:"|getline)/.test(text) || text.includes("|&");

const awkCode = (call: Call): readonly Effect[] => {
  const program = has(call, "f", "file") ? [] : call.operands.slice(0, 1);
  return [
    ...valuesOf(call, "f", "file").flatMap((file) => runsFile(call, file)),
    ...program.filter(runsCommand).flatMap((text) => runsCode(call, text)),
  ];
};

/** What a debugger is told that runs and looks at the program it debugs, and nothing else: no expressions, which call functions. */
const looksOn =
  /^ {0,4}(?:r|run|start|c|continue|n|next|s|step|finish|up|down|bt|backtrace|where|list|q|quit|kill|detach|frame(?: \d{1,6})?|bt full|backtrace full|thread apply all (?:bt|backtrace)(?: full)?|info (?:registers|threads|locals|args|frame|breakpoints|sharedlibrary|line)|set (?:pagination|confirm|breakpoint pending) (?:on|off)|(?:b|break|tbreak) [\w.:]{1,200}) {0,4}$/;

/** Programs that run what they are given: code in another language, a script in a file. */
export const runningPrograms: Programs = {
  sh: shell,
  bash: shell,
  dash: shell,
  zsh: shell,
  ksh: shell,
  fish: shell,
  ash: shell,
  source: sourcing,
  ".": sourcing,
  python: python(interpreter({ short: "cmWXQ" }, ["c"])),
  perl: interpreter({ short: "eEIMm" }, ["e", "E"]),
  ruby: interpreter({ short: "eIrCE" }, ["e"]),
  node: interpreter(
    { short: "epr", long: ["eval", "print", "require", "import", "loader", "experimental-loader"] },
    ["e", "p", "eval", "print"],
    ["r", "require", "import", "loader", "experimental-loader"],
  ),
  nodejs: interpreter(
    { short: "epr", long: ["eval", "print", "require", "import"] },
    ["e", "p", "eval", "print"],
    ["r", "require", "import"],
  ),
  bun: interpreter({ short: "ep", long: ["eval", "print"] }, ["e", "p", "eval", "print"]),
  deno: {
    does: (call) =>
      call.operands[0]?.text === "eval"
        ? runsCode(call)
        : call.operands[0]?.text === "run"
          ? call.operands.slice(1, 2).flatMap((file) => runsFile(call, file))
          : [],
  },
  tsx: interpreter({ short: "ep", long: ["eval", "print", "tsconfig"] }, ["e", "p", "eval", "print"]),
  "ts-node": interpreter({ short: "eprP" }, ["e", "p"]),
  php: php(interpreter({ short: "rBRFEdcfSt" }, ["r", "B", "R", "E"], ["f", "F"])),
  lua: interpreter({ short: "el" }, ["e"]),
  osascript: interpreter({ short: "el" }, ["e"]),
  rscript: interpreter({ short: "e" }, ["e"]),
  julia: interpreter({ short: "eE" }, ["e", "E"]),
  groovy: interpreter({ short: "e" }, ["e"]),
  tclsh: interpreter({}, []),
  expect: interpreter({ short: "cf" }, ["c"]),
  gdb: {
    grammar: { single: true, long: ["ex", "eval-command", "x", "command", "p", "pid", "args"] },
    does: (call) =>
      has(call, "x", "command") || valuesOf(call, "ex", "eval-command").some(({ text }) => !looksOn.test(text))
        ? runsCode(call)
        : [],
  },
  awk: { grammar: { short: "fFv", long: ["file"], leading: true }, does: awkCode },
  gawk: { grammar: { short: "fFv", long: ["file"], leading: true }, does: awkCode },
  mawk: { grammar: { short: "fFv", leading: true }, does: awkCode },
  make,
  gmake: make,
  mcp: { does: () => [] },
  sqlite3: {
    grammar: { single: true, long: ["cmd", "init", "separator"] },
    does: (call) => [
      ...onFiles("reads", call, call.operands.slice(0, 1)),
      ...onFiles("writes", call, call.operands.slice(0, 1)),
      ...([...call.operands.slice(1), ...valuesOf(call, "cmd")].some(({ text }) =>
        /^\s*\.(?:shell|system|load)\b/.test(text),
      )
        ? runsCode(call)
        : []),
    ],
  },
  docker: {
    grammar: {
      short: "vpeufwHmlc",
      long: [
        "volume",
        "cap-add",
        "security-opt",
        "mount",
        "publish",
        "env",
        "env-file",
        "user",
        "file",
        "workdir",
        "host",
        "name",
        "network",
        "entrypoint",
        "tag",
        "build-arg",
        "platform",
        "context",
      ],
    },
    does: (call) => [
      ...valuesOf(call, "v", "volume").flatMap((word) =>
        onFiles(
          "writes",
          call,
          [{ ...word, text: word.text.split(":", 1)[0] ?? "" }].filter(({ text }) => /^[./~\0]/.test(text)),
          "below",
        ),
      ),
      ...valuesOf(call, "mount").flatMap((word) =>
        onFiles(
          "writes",
          call,
          word.text
            .split(",")
            .flatMap((part) =>
              /^(?:source|src)=\//.test(part) ? [{ ...word, text: part.slice(part.indexOf("=") + 1) }] : [],
            ),
          "below",
        ),
      ),
      ...onFiles("reads", call, valuesOf(call, "env-file")),
      ...onAddress(call, valuesOf(call, "H", "host"), "sends"),
      // https://docs.docker.com/engine/security/: each of these is the machine itself.
      ...(has(call, "privileged") ||
      valuesOf(call, "cap-add").some(({ text }) =>
        /^(?:cap_)?(?:all|sys_\w+|net_admin|dac_\w+|bpf|perfmon)$/i.test(text),
      ) ||
      valuesOf(call, "security-opt").some(({ text }) => /unconfined|label[:=]disable/i.test(text)) ||
      call.options.some(({ name, value }) => /^(?:pid|userns|ipc|uts)$/.test(name) && value?.text === "host") ||
      valuesOf(call, "v", "volume").some(({ text }) => /docker\.sock/.test(text))
        ? onSystem(call, "changes_privileges")
        : []),
    ],
  },
};
