import { itemsOf } from "../../items-of.ts";
import type { Call } from "./call.ts";

/** The process that a call makes the kernel start. `args` begins with the name the program is called by. */
export interface Plan {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string | null;
}

/** The plan of `spawn`: with `shell`, one line for a shell, as Node makes it. */
export const spawnPlan = ({ command, args = [], options = {} }: Call): Plan => {
  const { argv0, shell } = options;
  const { file, rest } = shell ? shellLine([command, ...args].join(" "), shell) : { file: command, rest: args };
  return { file, args: [typeof argv0 === "string" ? argv0 : file, ...rest], cwd: cwdOf(options.cwd) };
};

/** `execFile` does not hand `argv0` on. */
export const execFilePlan = (call: Call): Plan =>
  spawnPlan({ ...call, options: { ...call.options, argv0: undefined } });

export const execPlan = (call: Call): Plan => execFilePlan({ ...call, args: undefined, options: shellOptions(call) });

const shellOptions = ({ options = {} }: Call): Record<string, unknown> => ({
  ...options,
  shell: typeof options.shell === "string" ? options.shell : true,
});

export const forkPlan = ({ command, args = [], options = {} }: Call): Plan => {
  const { execPath } = options;
  const execArgv = options.execArgv || process.execArgv;
  return spawnPlan({
    command: typeof execPath === "string" && execPath !== "" ? execPath : process.execPath,
    args: [...itemsOf(execArgv as readonly string[]), command, ...args],
    options: { ...options, shell: false },
    callback: undefined,
  });
};

const shellLine = (line: string, shell: unknown): { readonly file: string; readonly rest: readonly string[] } => {
  if (process.platform !== "win32") {
    const ordinary = process.platform === "android" ? "/system/bin/sh" : "/bin/sh";
    return { file: typeof shell === "string" ? shell : ordinary, rest: ["-c", line] };
  }
  const file = typeof shell === "string" ? shell : process.env.comspec || "cmd.exe";
  return isCmd(file) ? { file, rest: ["/d", "/s", "/c", `"${line}"`] } : { file, rest: ["-c", line] };
};

const isCmd = (file: string): boolean => /^cmd(?:\.exe)?$/i.test(file.slice(file.lastIndexOf("\\") + 1));

export const cwdOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

export const samePlan = (one: Plan, other: Plan): boolean =>
  one.file === other.file &&
  one.cwd === other.cwd &&
  one.args.length === other.args.length &&
  one.args.every((item, at) => item === other.args[at]);
