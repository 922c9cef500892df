import { type Call, type ReadCall, readCommandLine, readFileCall, readForkCall, readSpawnCall, texts } from "./call.ts";
import type { Form } from "./functions.ts";
import { execFilePlan, execPlan, forkPlan, spawnPlan } from "./plan.ts";

/** A callback that was not given has no place: what is counted from the end stays where it was. */
const withCallback = (args: unknown[], { callback }: Call): unknown[] =>
  callback === undefined ? args : [...args, callback];

const commandLine = (name: string): Form => ({
  action: `child_process.${name}`,
  read: readCommandLine,
  plan: execPlan,
  argumentsOf: (call) => withCallback([call.command, call.options], call),
});

const program = (name: string): Form => ({
  action: `child_process.${name}`,
  read: readFileCall,
  plan: execFilePlan,
  argumentsOf: (call) => withCallback([call.command, call.args ?? [], call.options], call),
});

const start = (name: string): Form => ({
  action: `child_process.${name}`,
  read: readSpawnCall,
  plan: spawnPlan,
  argumentsOf: ({ command, args = [], options }) => [command, args, options],
});

const ownProgram = process.execPath;

/** Node would take `process.execPath`, which a program can set: where it is another than at the start, rules see it. */
const readFork: ReadCall = (args) => {
  const call = readForkCall(args);
  const { execPath } = process;
  if (call === null || call.options?.execPath || execPath === ownProgram) return call;
  return { ...call, options: { ...call.options, execPath } };
};

/** What Node would look up itself is fixed: the program, and this process's own flags without the program among them (`node -e TEXT`). */
const settledFork = (call: Call): Call => {
  const { execPath = ownProgram, execArgv } = call.options ?? {};
  return { ...call, options: { ...call.options, execPath: execPath || ownProgram, execArgv: execArgv || ownFlags() } };
};

const ownFlags = (): readonly string[] => {
  const flags = [...texts(process.execArgv, false)];
  const text = (process as { readonly _eval?: unknown })._eval;
  const at = typeof text === "string" ? flags.lastIndexOf(text) : -1;
  if (at > 0) flags.splice(at - 1, 2);
  return flags;
};

const module: Form = {
  action: "child_process.fork",
  read: readFork,
  plan: forkPlan,
  settle: settledFork,
  argumentsOf: ({ command, args = [], options }) => [command, args, options],
};

/** Return a process at once. */
export const starts: Readonly<Record<string, Form>> = {
  exec: commandLine("exec"),
  execFile: program("execFile"),
  spawn: start("spawn"),
  fork: module,
};

/** Return when the process has ended. */
export const runs: Readonly<Record<string, Form>> = {
  execSync: commandLine("execSync"),
  execFileSync: program("execFileSync"),
  spawnSync: start("spawnSync"),
};
