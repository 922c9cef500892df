/**
 * Text of a rule module for guarded programs: what contains `blockme` is blocked, `redirectme` becomes `changed`, a Node child that clears
 * its environment may do so where its arguments say `mayclear`.
 */
export const execRules = `import { block, defineRules, rewrite } from "interlock/rules";
const says = (value, word) => JSON.stringify(value).includes(word);
const changed = (value) =>
  typeof value === "string" ? value.replaceAll("redirectme", "changed") : Array.isArray(value) ? value.map(changed) : value;
export default defineRules({ id: "exec", version: 1, rules: [
  {
    id: "exec.words",
    actions: ["child_process.*", "fs.*", "process.*", "worker_threads.*"],
    phase: "call",
    evaluate({ action, args }) {
      if (says(args, "blockme")) return block("off limits");
      if (!says(args, "redirectme")) return undefined;
      return rewrite(Object.fromEntries(Object.entries(args).map(([name, value]) => [name, changed(value)])));
    },
    examples: [
      { event: { action: "child_process.exec", args: { command: "echo blockme" } }, expect: "block" },
      { event: { action: "child_process.exec", args: { command: "echo hi" } }, expect: "silent" },
    ],
  },
  {
    id: "exec.unguarded",
    actions: ["child_process.unguarded"],
    phase: "call",
    evaluate: ({ args }) => (says(args, "mayclear") ? rewrite({ allow: true }) : undefined),
    examples: [
      { event: { action: "child_process.unguarded", args: { args: ["-i", "mayclear"], allow: false } }, expect: "rewrite" },
      { event: { action: "child_process.unguarded", args: { args: ["-i"], allow: false } }, expect: "silent" },
    ],
  },
] });
`;
