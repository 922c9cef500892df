import { oneOf } from "../option-kind.ts";
import { definePack } from "../pack.ts";
import type { CodeOptions } from "./judge.ts";
import { commandProgramsRule, programsRule } from "./rules.ts";

export type { CodeOptions } from "./judge.ts";

const starter: CodeOptions = Object.freeze({ processes: "escalate", network: "pass", files: "pass" });

/** Programs in Python and JavaScript that a tool runs. They are parsed; names are followed through imports and aliases. */
export const code = definePack<CodeOptions>({
  id: "code",
  notes: {
    title: "Programs that an agent runs: what they call, in Python, JavaScript and TypeScript",
    stops: [
      "Ways out of a sandbox: __subclasses__, __globals__, constructor.constructor, process.binding.",
      "Starting programs: os.system, subprocess, pty, child_process, Bun.spawn, ! lines of a notebook, under any alias and through getattr and __import__.",
      "eval, exec, compile, Function and vm with text that is made while it runs; imports by a computed name.",
      "pickle, marshal, yaml.load without a safe loader; ctypes; os.kill and process.kill.",
      "Sending away secrets, the whole environment, cookies, files of credentials, or a whole home. Facts of the machine together with a request are asked about.",
      "Values of half a gigabyte, loops without an end that grow, fork bombs, shells tied to a socket.",
    ],
    cannot: [
      "It reads what is written: a name that is put together from parts and looked up in a way it does not know passes.",
      "Programs in files that a command runs, and code that a tool only formats, searches or writes.",
      "A file that is no file of credentials may be uploaded in the tier starter; strict asks.",
      "Other languages than Python and JavaScript.",
    ],
    tune: [
      'network: "escalate" and files: "escalate" ask about every program that uses them.',
      'processes: "block" where programs are not meant to start others.',
    ],
  },
  options: {
    processes: {
      what: "what becomes of a program that starts others, runs made text, or loads pickles and native code",
      takes: oneOf("block", "escalate"),
    },
    network: {
      what: "what becomes of programs that use the network and do nothing else that is held",
      takes: oneOf("escalate", "pass"),
    },
    files: {
      what: "what becomes of programs that open files and do nothing else that is held",
      takes: oneOf("escalate", "pass"),
    },
  },
  tiers: { starter, strict: Object.freeze({ processes: "block", network: "escalate", files: "escalate" }) },
  rules: (options) => [programsRule(options), commandProgramsRule(options)],
});
