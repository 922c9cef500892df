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
