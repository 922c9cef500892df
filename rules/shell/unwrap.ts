import { unknown, type Word, wordOf } from "./word.ts";
import { scriptTakers, shells, type Wrapper, wrappers } from "./wrappers.ts";

/** What one argument list runs: itself, the commands inside it, and scripts that must be parsed in turn. */
export interface Unwrapped {
  /** From the outside in; names are bare and in lower case. */
  readonly commands: readonly { readonly name: string; readonly args: readonly Word[] }[];
  readonly scripts: readonly string[];
  /** A program is run that only the running shell knows. */
  readonly opaque: boolean;
}

const maxLayers = 16;

export const unwrap = (words: readonly Word[]): Unwrapped => {
  const found = { commands: [] as { name: string; args: readonly Word[] }[], scripts: [] as string[], opaque: false };
  layer(words, found, 0);
  return found;
};

type Found = { commands: { name: string; args: readonly Word[] }[]; scripts: string[]; opaque: boolean };

const layer = (words: readonly Word[], found: Found, depth: number): void => {
  const [head, ...args] = words;
  if (head === undefined) return;
  if (!head.known || depth > maxLayers) {
    found.opaque = true;
    return;
  }
  // A file system may ignore case, and then RM is rm.
  const name = head.text.slice(head.text.lastIndexOf("/") + 1).toLowerCase();
  found.commands.push({ name, args });
  const wrapper = wrappers.get(name);
  if (wrapper !== undefined) {
    const wrapped = skipOwn(args, wrapper, name);
    // What it reads becomes arguments of what it runs.
    layer(name === "xargs" && wrapped.length > 0 ? [...wrapped, wordOf(unknown)] : wrapped, found, depth + 1);
  }
  if (shells.has(name) || scriptTakers.has(name)) scriptAfter(args, found);
  if (name === "env") splitString(args, found);
  if (name === "eval" || name === "trap") script(name === "eval" ? args : args.slice(0, 1), found);
  if (name === "alias")
    for (const { text } of args) if (text.includes("=")) script([wordOf(text.slice(text.indexOf("=") + 1))], found);
  if (name === "watch" || name === "parallel") script(skipOwn(args, wrappers.get(name)!, name), found);
  if (name === "ssh") script(skipOwn(args, { valued: sshValued, operands: 1 }, name), found);
  if (name === "find" || name === "fd") for (const inner of executed(args)) layer(inner, found, depth + 1);
};

const sshValued = [
  "-b",
  "-c",
  "-D",
  "-E",
  "-F",
  "-i",
  "-J",
  "-L",
  "-l",
  "-m",
  "-O",
  "-o",
  "-p",
  "-R",
  "-S",
  "-W",
  "-w",
];

/** What is left when a wrapper has taken its own options and operands. */
const skipOwn = (args: readonly Word[], { valued, operands, assignments }: Wrapper, name: string): readonly Word[] => {
  let at = 0;
  while (at < args.length) {
    const { text } = args[at]!;
    if (text === "--") {
      at += 1;
      break;
    }
    if (text.startsWith("-") && text !== "-") at += takesNext(text, valued) ? 2 : 1;
    else if (assignments === true && /^[A-Za-z_][A-Za-z0-9_]*=/.test(text)) at += 1;
    else break;
  }
  // `command -v` only asks; running nothing, it wraps nothing.
  if (name === "command" && args.some(({ text }, index) => index < at && /^-[vV]+$/.test(text))) return [];
  if (assignments === true) while (/^[A-Za-z_][A-Za-z0-9_]*=/.test(args[at]?.text ?? "")) at += 1;
  return args.slice(at + operands);
};

/** Is the value of this option the next argument? `-u x`, and `-Eu x`; in `-uE` the value is `E`. */
const takesNext = (text: string, valued: readonly string[]): boolean => {
  if (text.startsWith("--")) return valued.includes(text);
  const first = [...text.slice(1)].findIndex((letter) => valued.includes(`-${letter}`));
  return first >= 0 && first === text.length - 2;
};

/** `-c SCRIPT`, alone or in a bundle such as `-lc`. */
const scriptAfter = (args: readonly Word[], found: Found): void => {
  for (const [index, { text }] of args.entries()) {
    if (text === "--command" || /^-[A-Za-z]*c[A-Za-z]*$/.test(text)) {
      // Options may stand between -c and the script.
      const rest = args
        .slice(index + 1)
        .filter(
          (word, at, all) => !/^(?:[-+][A-Za-z]|--)/.test(word.text) && !/^[-+][oO]$/.test(all[at - 1]?.text ?? ""),
        );
      script(rest.slice(0, 1), found);
      return;
    }
    if (text.startsWith("--command=")) {
      script([wordOf(text.slice("--command=".length))], found);
      return;
    }
  }
};

/** `env -S 'rm -rf /'` splits its string into a command. */
const splitString = (args: readonly Word[], found: Found): void => {
  for (const [index, { text }] of args.entries()) {
    const attached = /^(?:-[A-Za-z0]*?S|--s[a-z-]*=)(.+)$/s.exec(text)?.[1];
    if (attached !== undefined) script([wordOf(attached), ...args.slice(index + 1)], found);
    else if (/^(?:-[A-Za-z0]*S|--s[a-z-]*)$/.test(text)) script(args.slice(index + 1), found);
  }
};

const script = (words: readonly Word[], found: Found): void => {
  if (words.length === 0) return;
  const text = words.map((word) => word.text).join(" ");
  if (text.includes(unknown)) found.opaque = true;
  else found.scripts.push(text);
};

/** The commands after -exec, -execdir, -ok, -okdir, --exec, up to `;` or `+`. */
const executed = (args: readonly Word[]): readonly (readonly Word[])[] => {
  const found: Word[][] = [];
  let open: Word[] | null = null;
  for (const word of args) {
    if (open === null) {
      if (/^(?:-exec|-execdir|-ok|-okdir|--exec|--exec-batch|-x|-X)$/.test(word.text)) {
        open = [];
        found.push(open);
      }
    } else if (word.text === ";" || word.text === "+") open = null;
    else open.push(word);
  }
  return found;
};
