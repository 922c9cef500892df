import { placesOf } from "../shell/directories.ts";
import { isProtectedPlace, isRawDevice, isSystemFile } from "../shell/places.ts";
import type { Command, Redirect } from "../shell/script.ts";
import type { Word } from "../shell/word.ts";

/** `certain` blocks; otherwise a human is asked. */
export interface Finding {
  readonly certain: boolean;
  readonly reason: string;
}

const certain = (reason: string): Finding => ({ certain: true, reason });
const doubtful = (reason: string): Finding => ({ certain: false, reason });

/** Units of systemd that end it. */
const stops: ReadonlySet<string> = new Set(["poweroff", "reboot", "halt", "kexec", "emergency", "rescue"]);

/** Does this one command destroy what cannot be brought back? */
export const destroys = (command: Command): Finding | null => {
  const { name, args } = command;
  if (name === "rm") return judgeRemoval(command);
  if (name === "find") return judgeFind(command);
  if (name === "mkfs" || name.startsWith("mkfs.") || name === "wipefs") return certain("it formats a disk");
  if (name === "shutdown" || name === "reboot" || name === "poweroff" || name === "halt")
    return certain("it stops the machine");
  if ((name === "init" || name === "telinit") && args.some(({ text }) => text === "0" || text === "6"))
    return certain("it stops the machine");
  if (name === "systemctl" && args.some(({ text }) => stops.has(text))) return certain("it stops the machine");
  if (name === "chmod" || name === "chown" || name === "chgrp") return judgeOwnership(command);
  if (name === "dd") return judgeWrites(command, args.filter(({ text }) => text.startsWith("of=")).map(withoutName));
  if (name === "tee") return judgeWrites(command, operands(args)) ?? judgeSystemWrites(command, operands(args), true);
  if (name === "shred" || name === "truncate") return judgeWrites(command, operands(args));
  if (name === "cp" || name === "mv" || name === "install") {
    const to = operands(args).slice(-1);
    return judgeWrites(command, to) ?? judgeSystemWrites(command, to, false);
  }
  if (name === "sed" && args.some(({ text }) => /^(?:-[A-Za-z]*i|--in-place)/.test(text)))
    return judgeSystemWrites(command, operands(args).slice(1), false);
  if (name === "kill" && args.length > 1 && args.at(-1)?.text === "-1") return certain("it ends every process");
  return null;
};

/** `> /dev/sda` and `> /etc/passwd`: the shell itself writes. */
export const judgeRedirect = ({ target, directories, writes }: Redirect): Finding | null => {
  if (!writes) return null;
  const places = placesOf(directories, target.text);
  if (places.some(isRawDevice)) return certain("it writes to a device");
  return places.some(isSystemFile) ? certain("it writes to a file of the system") : null;
};

const judgeRemoval = (command: Command): Finding | null => {
  const { args } = command;
  if (args.some(({ text }) => text === "--no-preserve-root")) return certain("it removes the root of the file system");
  if (!isRecursive(args, /^-[A-Za-z]*[rR]/)) return null;
  const targets = operands(args);
  if (isProtected(command, targets)) return certain("it removes a directory that a system or a home needs");
  if (targets.length === 0 && command.fedBy.length === 0) return null;
  if (targets.length === 0 || targets.some(({ known }) => !known))
    return doubtful("it removes directories that only the running shell knows");
  return targets.some(({ text }) => text === "*" || text === "./*")
    ? doubtful("it removes everything in a directory")
    : null;
};

/** `find / -delete`: what it starts from is what it removes. */
const judgeFind = (command: Command): Finding | null => {
  const first = command.args.findIndex(({ text }) => text.startsWith("-") || text === "(" || text === "!");
  const rest = first < 0 ? [] : command.args.slice(first);
  const removes =
    rest.some(({ text }) => text === "-delete") ||
    rest.some(({ text }, at) => text === "rm" && /^-exec|^-ok/.test(rest[at - 1]?.text ?? ""));
  if (!removes) return null;
  const starts = first < 0 ? command.args : command.args.slice(0, first);
  // In its own directory `find . -name '*.tmp' -delete` is daily work.
  const named = starts.filter(({ text }) => text !== "." && text !== "./");
  return isProtected(command, named)
    ? certain("it removes files from a directory that a system or a home needs")
    : null;
};

const judgeOwnership = (command: Command): Finding | null => {
  if (!isRecursive(command.args, /^-[A-Za-z]*R/)) return null;
  const targets = operands(command.args)
    .slice(1)
    .filter(({ text }) => text !== "." && text !== "./");
  return isProtected(command, targets) ? certain("it changes who may use a whole system or home") : null;
};

const judgeWrites = ({ directories }: Command, targets: readonly Word[]): Finding | null =>
  targets.some(({ text }) => placesOf(directories, text).some(isRawDevice)) ? certain("it writes to a device") : null;

const judgeSystemWrites = ({ directories }: Command, targets: readonly Word[], isCertain: boolean): Finding | null =>
  targets.some(({ text }) => placesOf(directories, text).some(isSystemFile))
    ? { certain: isCertain, reason: "it writes to a file of the system" }
    : null;

const isProtected = ({ directories }: Command, targets: readonly Word[]): boolean =>
  targets.some(({ text, known }) => known && placesOf(directories, text).some(isProtectedPlace));

const isRecursive = (args: readonly Word[], short: RegExp): boolean =>
  args.some(
    ({ text }) => (text.length > 2 && "--recursive".startsWith(text)) || (!text.startsWith("--") && short.test(text)),
  );

const operands = (args: readonly Word[]): readonly Word[] => {
  const end = args.findIndex(({ text }) => text === "--");
  if (end < 0) return args.filter(({ text }) => !text.startsWith("-") || text === "-");
  return [...args.slice(0, end).filter(({ text }) => !text.startsWith("-")), ...args.slice(end + 1)];
};

const withoutName = ({ text, known }: Word): Word => ({ text: text.slice(text.indexOf("=") + 1), known });
