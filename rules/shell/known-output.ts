import type { StatementNode } from "./tree.ts";
import { evaluateWords, type Surroundings, type Word, wordOf } from "./word.ts";

/** What statements print, where that is certain: `echo`, `printf` of one text, `pwd`, `which NAME`; null where it is not. */
export const outputOf = (statements: readonly StatementNode[], around: Surroundings): Word | null => {
  const [only, more] = statements;
  if (
    only === undefined ||
    more !== undefined ||
    only.Cmd?.type !== "CallExpr" ||
    only.Redirs.some(({ Op }) => Op < 60)
  )
    return null;
  const { Assigns, Args } = only.Cmd;
  if (Assigns.length > 0 || Args.length > 64) return null;
  const [head, ...args] = Args.flatMap((word) => evaluateWords(word, around));
  const text = head?.known === true ? printed(head.text, args) : null;
  return text === null ? null : wordOf(text);
};

const printed = (name: string, args: readonly Word[]): string | null => {
  const texts = args.map(({ text }) => text);
  const [first = "", second = ""] = texts;
  switch (name) {
    case "echo":
      return texts.filter((text, at) => at > 0 || text !== "-n").some((text) => text.includes("\\")) ||
        /^-[neE]*e/.test(first)
        ? "\0"
        : texts.slice(first === "-n" ? 1 : 0).join(" ");
    case "printf":
      if (first === "%s" || first === "%s\\n") return texts.slice(1).join(first === "%s" ? "" : "\n");
      return texts.length === 1 && !/[%\\]/.test(first) ? first : "\0";
    case "pwd":
      return ".";
    case "which":
    case "type":
      return texts.length === 1 && !first.startsWith("-") ? first : null;
    case "command":
      return first === "-v" && texts.length === 2 ? second : null;
    // What these print sets up the shell that reads it.
    case "ssh-agent":
    case "dircolors":
      return "";
    case "brew":
      return first === "shellenv" ? "" : null;
    case "pyenv":
    case "rbenv":
    case "nodenv":
    case "starship":
    case "direnv":
    case "zoxide":
      return first === "init" || first === "hook" ? "" : null;
    case "fnm":
    case "opam":
      return first === "env" ? "" : null;
    case "mktemp":
      return texts.every((text) => /^-[dqu]+$/.test(text)) ? "/tmp/tmp.made" : null;
    default:
      return null;
  }
};
