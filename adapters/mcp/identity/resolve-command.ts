import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { basename, delimiter, join, resolve } from "node:path";

/** What a command starts: the program, and the script that the program reads where it is an interpreter. */
export interface ResolvedCommand {
  /** The program itself, links followed; null where there is none. */
  readonly program: string | null;
  /** The file whose bytes are the server: the script of an interpreter, else the program. */
  readonly code: string | null;
  /** `name` or `name@version`, of a launcher (`npx`, `uvx`) that fetches what it runs. */
  readonly launched: { readonly from: "npm" | "pypi"; readonly spec: string } | null;
}

const interpreters = /^(node|nodejs|bun|deno|tsx|ts-node|python\d?(\.\d+)?|ruby|perl|sh|bash|php)$/;

export const resolveCommand = (command: string, args: readonly string[], env: NodeJS.ProcessEnv): ResolvedCommand => {
  const program = programOf(command, env.PATH ?? "");
  const launched = launchedBy(basename(command), args);
  if (launched !== null) return { program, code: null, launched };
  // The name that it was called by: links of one program have many.
  if (!interpreters.test(basename(command)) && (program === null || !interpreters.test(basename(program)))) {
    return { program, code: program, launched: null };
  }
  return { program, code: args.map(scriptAt).find((path) => path !== null) ?? null, launched: null };
};

const programOf = (command: string, path: string): string | null => {
  if (command.includes("/")) return executable(resolve(command));
  for (const directory of path.split(delimiter)) {
    const found = directory === "" ? null : executable(join(directory, command));
    if (found !== null) return found;
  }
  return null;
};

const executable = (path: string): string | null => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? realpathSync(path) : null;
  } catch {
    return null;
  }
};

/** An argument that names a file. An option does not, though one may hold a path. */
const scriptAt = (argument: string): string | null => {
  if (argument.startsWith("-")) return null;
  try {
    return statSync(argument).isFile() ? realpathSync(argument) : null;
  } catch {
    return null;
  }
};

const launchedBy = (name: string, args: readonly string[]): ResolvedCommand["launched"] => {
  const from = name === "npx" || name === "bunx" ? "npm" : name === "uvx" ? "pypi" : null;
  if (from === null) return null;
  const named = args.findIndex((argument) => argument === "--package" || argument === "-p" || argument === "--from");
  const spec = named === -1 ? args.find((argument) => !argument.startsWith("-")) : args[named + 1];
  return spec === undefined ? null : { from, spec };
};
