import type { Word } from "./word.ts";

const setting: ReadonlySet<string> = new Set(["read", "mapfile", "readarray", "getopts", "unset", "let"]);

/** Names of the variables that a command of the shell's own gives a value that is not known here. */
export const changedBy = (name: string, args: readonly Word[]): readonly string[] => {
  if (setting.has(name)) return args.map(({ text }) => text.split("=", 1)[0] ?? "");
  return name === "printf" && args[0]?.text === "-v" && args[1] !== undefined ? [args[1].text] : [];
};
