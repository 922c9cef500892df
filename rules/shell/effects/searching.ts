import type { Effect } from "../effect.ts";
import { findStarts, foundBy } from "../find.ts";
import { type Call, onFiles, orHere, type Programs } from "./program.ts";

/** `find START... -delete`: what it starts from is what it goes through, and what it removes. The commands it runs are commands of their own. */
const find = (call: Call): readonly Effect[] => {
  const { starts, expression } = findStarts(call.args);
  const written = expression.flatMap(({ text }, at) => {
    const to = expression[at + 1];
    return /^-(?:fprint0?|fprintf|fls)$/.test(text) && to !== undefined ? [to] : [];
  });
  return [
    ...onFiles("lists", call, starts, "below"),
    ...onFiles("writes", call, written),
    ...(expression.some(({ text }) => text === "-delete") ? onFiles("deletes", call, foundBy(call.args)) : []),
  ];
};

const fd = (call: Call): readonly Effect[] => onFiles("lists", call, orHere(call.operands.slice(1)), "below");

export const searchingPrograms: Programs = {
  find: { does: find },
  gfind: { does: find },
  fd: {
    grammar: { short: "etdEcjS", long: ["extension", "type", "max-depth", "exclude", "exec", "exec-batch"] },
    does: fd,
  },
  fdfind: { grammar: { short: "etdEcjS", long: ["extension", "type", "max-depth", "exclude"] }, does: fd },
  locate: { does: () => [] },
};
