import { spawn } from "node:child_process";
import { SuiteRefusal } from "./refusal.ts";

const keptOutput_chars = 16 * 1024;

/** Runs a command to its end and answers what it wrote on stdout. @throws SuiteRefusal it failed */
export const command = async (
  file: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<string> => {
  let stdout = "";
  let said = "";
  const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-keptOutput_chars);
  });
  const code = await new Promise<number>((resolve) => {
    child.on("error", (error) => {
      said += error.message;
      resolve(127);
    });
    child.on("close", (status) => resolve(status ?? 1));
  });
  if (code === 0) return stdout;
  const last = said.trim().split("\n").at(-1) ?? "";
  throw new SuiteRefusal(`${[file, ...args].join(" ")} failed: ${last || `exit code ${code}`}`);
};
