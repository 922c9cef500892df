import { shellLinesIn } from "./code-scripts.ts";
import { readOptions } from "./effects/options.ts";
import { type Word, wordOf } from "./word.ts";

/** What a program hands to a shell out of its own arguments or its own input. */
type Taker = (args: readonly Word[], input: Word | null) => readonly string[];

const valuesOf = (args: readonly Word[], short: string, long: readonly string[]): readonly string[] =>
  readOptions(args, { short, long }).options.flatMap(({ name, value }) =>
    value?.known && (short.includes(name) || long.includes(name)) ? [value.text] : [],
  );

/** `:!cmd`, `:r !cmd`, `:w !cmd`, `:silent !cmd`; `:w!` and `:q!` only insist: https://vimhelp.org/various.txt.html#%3A%21. */
const ofExCommand = (text: string): readonly string[] => {
  const found =
    /^[:\s]{0,16}(?:sil(?:ent)?!?\s{1,8})?(?:[\d%.,$]{0,16}(?:r(?:ead)?\s{0,8}|w(?:rite)?\s{1,8}))?!(.{1,4096})$/.exec(
      text.trim(),
    );
  return found?.[1] === undefined ? [] : [found[1]];
};

const plus = (args: readonly Word[]): readonly string[] =>
  args.flatMap(({ text, known }) => (known && text.startsWith("+") ? [text.slice(1)] : []));

const vim: Taker = (args) => [...plus(args), ...valuesOf(args, "cS", ["cmd"])].flatMap(ofExCommand);
const ed: Taker = (_args, input) => (input?.known === true ? input.text.split("\n").flatMap(ofExCommand) : []);
const pager: Taker = (args) => plus(args).flatMap(ofExCommand);

/** The command `e` of GNU sed: https://www.gnu.org/software/sed/manual/html_node/Other-Commands.html. */
const sed: Taker = (args) => {
  const { options, operands } = readOptions(args, { short: "efl", long: ["expression", "file"] });
  const given = options.flatMap(({ name, value }) =>
    /^(?:e|expression)$/.test(name) && value !== null ? [value] : [],
  );
  return [...given, ...(given.length === 0 ? operands.slice(0, 1) : [])].flatMap(({ text }) =>
    text.split(/[\n;{]/, 200).flatMap((piece) => {
      const found = /^\s{0,8}(?:[\d$,~+]{0,20}|\/[^/]{0,200}\/)\s{0,8}e\s{1,8}(.{1,4096})$/.exec(piece);
      return found?.[1] === undefined ? [] : [found[1]];
    }),
  );
};

/** A program that a connection is made with: `ssh -o ProxyCommand=...` is told elsewhere. */
const rsync: Taker = (args) => valuesOf(args, "e", ["rsh"]);
const scp: Taker = (args) => valuesOf(args, "S", []);
const man: Taker = (args) => valuesOf(args, "P", ["pager"]);
const strace: Taker = (args) =>
  valuesOf(args, "o", ["output"]).flatMap((text) => (/^[|!]/.test(text) ? [text.slice(1)] : []));

/** `ansible web -m shell -a 'uptime'`: the modules that run a line on other machines; without -m it is one of them. */
const ansible: Taker = (args) => {
  const modules = valuesOf(args, "m", ["module-name"]);
  return modules.every((name) => /^(?:ansible\.builtin\.)?(?:shell|command|raw|script)$/.test(name))
    ? valuesOf(args, "a", ["args"])
    : [];
};

/** `npm pkg set scripts.postinstall='...'`: a line that npm hands to a shell. */
const npm: Taker = (args) => {
  const { operands } = readOptions(args, { short: "w", long: ["workspace"] });
  if (operands[0]?.text !== "pkg" || operands[1]?.text !== "set") return [];
  return operands
    .slice(2)
    .flatMap(({ text }) => (/^scripts[.[][^=]{1,80}=/.test(text) ? [text.slice(text.indexOf("=") + 1)] : []));
};

/** Programs in another language that a command holds. */
const code =
  (short: string, long: readonly string[] = []): Taker =>
  (args) =>
    valuesOf(args, short, long).flatMap(shellLinesIn);
const awk: Taker = (args) =>
  readOptions(args, { short: "fFv", long: ["file"], leading: true })
    .operands.slice(0, 1)
    .flatMap(({ text, known }) => (known ? shellLinesIn(text) : []));

const takers: ReadonlyMap<string, Taker> = new Map([
  ...["vim", "vi", "nvim", "view", "vimdiff", "gvim", "ex", "rvim"].map((name) => [name, vim] as const),
  ...["ed", "red"].map((name) => [name, ed] as const),
  ...["less", "more", "most", "zless"].map((name) => [name, pager] as const),
  ...["sed", "gsed"].map((name) => [name, sed] as const),
  ["rsync", rsync],
  ["scp", scp],
  ["sftp", scp],
  ["man", man],
  ["strace", strace],
  ["ltrace", strace],
  ["ansible", ansible],
  ["npm", npm],
  ["pnpm", npm],
  ["perl", code("eE")],
  ["ruby", code("e")],
  ["php", code("rBRE")],
  ["lua", code("e")],
  ...["awk", "gawk", "mawk", "nawk"].map((name) => [name, awk] as const),
  ...["python", "python2", "python3"].map((name) => [name, code("c")] as const),
  ...["node", "nodejs", "bun"].map((name) => [name, code("ep", ["eval", "print"])] as const),
]);

/** Lines that a program hands to a shell out of its options: https://gtfobins.github.io/ names the programs. */
export const optionScripts = (name: string, args: readonly Word[], input: Word | null): readonly Word[] =>
  (takers.get(name)?.(args, input) ?? []).filter((text) => text.trim() !== "").map(wordOf);

/** Variables whose value other programs hand to a shell: pagers, editors, filters of pagers. */
const shellVariables =
  /^(?:(?:GIT_|MAN|SYSTEMD_|GH_|AWS_|PSQL_)?PAGER|(?:GIT_|SVN_|FC|HG)?EDITOR|GIT_SEQUENCE_EDITOR|VISUAL|LESSOPEN|LESSCLOSE|BROWSER|RSYNC_RSH|CVS_RSH|GIT_SSH|(?:GIT_|SSH_|SUDO_)ASKPASS)$/;

/** The line that a variable holds for a shell; null for other variables, and where it is the name of a program and nothing more. */
export const variableScript = (name: string, value: Word): string | null =>
  value.known && shellVariables.test(name) && /[\s;|&$`]/.test(value.text.trim())
    ? value.text.replace(/^[|-]{1,3}/, "")
    : null;
