import { type Call, readCommandLine, readFileCall, readForkCall, readSpawnCall, texts } from "./call.ts";
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

/** Node would take this process's own flags, without the program that stood among them (`node -e TEXT`). */
const withFlags = (call: Call): Call => {
  if (call.options?.execArgv) return call;
  const flags = [...texts(process.execArgv, false)];
  const text = (process as { readonly _eval?: unknown })._eval;
  const at = typeof text === "string" ? flags.lastIndexOf(text) : -1;
  if (at > 0) flags.splice(at - 1, 2);
  return { ...call, options: { ...call.options, execArgv: flags } };
};

const module: Form = {
  action: "child_process.fork",
  read: readForkCall,
  plan: forkPlan,
  settle: withFlags,
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
