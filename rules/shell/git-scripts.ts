import { readOptions } from "./effects/options.ts";
import { type Word, wordOf } from "./word.ts";

/** Settings whose whole value git hands to a shell, and aliases where it begins with `!`: https://git-scm.com/docs/git-config. */
const commands =
  /^(?:core\.(?:sshcommand|fsmonitor|pager|editor|askpass)|sequence\.editor|pager\..*|diff\.external|credential\.(?:.*\.)?helper|uploadpack\.packobjectshook|.*\.(?:textconv|clean|smudge|process|driver|cmd))$/i;

/** Lines that a git command hands to a shell: of an alias or a setting, and what `bisect run`, `rebase -x` and `submodule foreach` are given. */
export const gitScripts = (args: readonly Word[]): readonly Word[] => {
  const outer = readOptions(args, { short: "Cc", long: ["git-dir", "work-tree"], leading: true });
  const found = outer.options.flatMap(({ name, value }) => {
    const equals = value?.text.indexOf("=") ?? -1;
    return name === "c" && value !== null && equals > 0
      ? ofSetting(value.text.slice(0, equals), { ...value, text: value.text.slice(equals + 1) })
      : [];
  });
  const [subcommand, ...rest] = outer.operands;
  const { options, operands } = readOptions(rest, { short: "xf", long: ["exec", "file"] });
  switch (subcommand?.text) {
    case "config": {
      const [name, value] = operands[0]?.text === "set" ? operands.slice(1) : operands;
      return name === undefined || value === undefined ? found : [...found, ...ofSetting(name.text, value)];
    }
    case "grep":
      return [...found, ...opened(rest, /^(?:-O|--open-files-in-pager=)(.+)$/)];
    case "difftool":
      return [...found, ...opened(rest, /^(?:-x|--extcmd=)(.+)$/), ...behind(rest, /^(?:-x|--extcmd)$/)];
    case "clone":
    case "fetch":
    case "pull":
    case "push":
    case "ls-remote":
      return [
        ...found,
        ...opened(rest, /^--(?:upload-pack|receive-pack|exec)=(.+)$/),
        ...behind(rest, /^(?:-u|--upload-pack|--receive-pack)$/).filter(({ text }) => /[\s;|&$`]/.test(text)),
      ];
    case "rebase":
      return [
        ...found,
        ...options.flatMap(({ name, value }) => ((name === "x" || name === "exec") && value !== null ? [value] : [])),
      ];
    case "bisect":
      return operands[0]?.text === "run" ? [...found, joined(rest.slice(1))] : found;
    case "submodule":
      return operands[0]?.text === "foreach"
        ? [...found, joined(rest.filter(({ text }) => !text.startsWith("-")).slice(1))]
        : found;
    default:
      return found;
  }
};

const joined = (words: readonly Word[]): Word => wordOf(words.map(({ text }) => text).join(" "));

/** The value that stands in the same word as its option. */
const opened = (args: readonly Word[], option: RegExp): readonly Word[] =>
  args.flatMap((word) => {
    const value = option.exec(word.text)?.[1];
    return value === undefined ? [] : [{ ...word, text: value }];
  });

const behind = (args: readonly Word[], option: RegExp): readonly Word[] =>
  args.filter((_word, at) => option.test(args[at - 1]?.text ?? ""));

const ofSetting = (name: string, value: Word): readonly Word[] => {
  if (/^alias\./i.test(name)) return value.text.startsWith("!") ? [{ ...value, text: value.text.slice(1) }] : [];
  return commands.test(name) && !/^[\w-]*$/.test(value.text) ? [value] : [];
};
