import { readOptions } from "./effects/options.ts";
import { shells } from "./script-takers.ts";
import type { Word } from "./word.ts";

/** Does a command take a shell script from its standard input? A shell without a script of its own, `source /dev/stdin`, `at`. */
export const readsProgram = ({ name, args }: { readonly name: string; readonly args: readonly Word[] }): boolean => {
  if (name === "source" || name === ".")
    return args[0]?.text === "/dev/stdin" || args[0]?.text === "-" || args[0]?.text.startsWith("/dev/fd/") === true;
  if (name === "at" || name === "batch") return !args.some(({ text }) => text === "-f");
  if (name === "ssh") return readOptions(args, { short: "BbcDEeFIiJLlmOopQRSWw", leading: true }).operands.length === 1;
  if (!shells.has(name)) return false;
  if (args.some(({ text }) => /^-[a-zA-Z]*s/.test(text) && !text.startsWith("--"))) return true;
  if (
    args.some(
      ({ text }) => /^-[a-zA-Z]*c/.test(text) || text === "--command" || text === "--version" || text === "--help",
    )
  )
    return false;
  const script = args.find(({ text }, at) => !/^[-+]/.test(text) && !/^[-+][oO]$/.test(args[at - 1]?.text ?? ""));
  return script === undefined || script.text === "/dev/stdin" || script.text.startsWith("/dev/fd/");
};
