import type { Word } from "./word.ts";

/** Where `find` starts, and what it then asks. Options of its own (`-L`, `-O3`) may come first. */
export const findStarts = (
  args: readonly Word[],
): { readonly starts: readonly Word[]; readonly expression: readonly Word[] } => {
  let at = 0;
  while (/^-(?:[HLP]|O\d*|D)$/.test(args[at]?.text ?? "")) at += args[at]?.text === "-D" ? 2 : 1;
  const rest = args.slice(at);
  const end = rest.findIndex(({ text }) => text.startsWith("-") || text === "(" || text === "!" || text === ")");
  const starts = end < 0 ? rest : rest.slice(0, end);
  return {
    starts: starts.length === 0 ? [{ text: ".", known: true }] : starts,
    expression: end < 0 ? [] : rest.slice(end),
  };
};

/** The commands after -exec, -execdir, -ok, -okdir, --exec, up to `;` or `+`; `{}` in them is what was found below where it starts. */
export const executedBy = (args: readonly Word[]): readonly (readonly Word[])[] => {
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
  if (found.length === 0) return found;
  const places = foundBy(args);
  return found.map((words) => words.flatMap((word) => (word.text === "{}" ? places : [word])));
};

/** What `find` finds, as words: with one `-name` a pattern, with another test any of what is below, otherwise all of it. */
export const foundBy = (args: readonly Word[]): readonly Word[] => {
  const { starts, expression } = findStarts(args);
  const names = expression.flatMap(({ text }, at) => (text === "-name" ? [expression[at + 1]] : []));
  const [name] = names;
  const isOne = names.length === 1 && !expression.some(({ text }) => /^(?:-o|-or|!|-not|-i?path|-i?regex)$/.test(text));
  const pattern =
    isOne && name?.known === true ? name.text : expression.some(({ text }) => tests.test(text)) ? "*" : null;
  return starts.map((start) =>
    pattern === null || !start.known
      ? { ...start, below: true as const }
      : { text: `${start.text.replace(/(?<=.)\/$/, "").replace(/^\/$/, "")}/**/${pattern}`, known: true },
  );
};

/** What chooses among files by more than their kind. */
const tests = /^-(?:i?name|i?path|i?regex|[acm](?:time|min)|newer\w*|size|empty|user|perm|wholename)$/;
