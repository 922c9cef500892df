import type { Command } from "../../../rules/shell/script.ts";
import { nameOf } from "./altering-programs.ts";

/** The operator's own command, under the names that it is installed by. */
const programs: ReadonlySet<string> = new Set(["interlock", "interlock.js", "interlock.ts"]);
/** What starts it when it is named as an argument. */
const starters: ReadonlySet<string> = new Set([
  "node",
  "nodejs",
  "npx",
  "npm",
  "pnpm",
  "yarn",
  "bun",
  "bunx",
  "tsx",
  "deno",
]);
const decisions: ReadonlySet<string> = new Set([
  ...["approvals", "transactions", "operators", "resume", "token"],
  // Whose signatures are believed, and what is signed: by default with the keys that lie beside the configuration.
  ...["keys", "sign", "cosign"],
  // What becomes of the record.
  ...["prune", "erase", "rotate-key"],
]);

export const isOperatorProgram = (name: string): boolean => programs.has(name);

/**
 * Does a command decide as an operator, make one, end a stop, say who acts or whom to believe, sign, or take from the record? An agent asks; a person decides. What the running shell fills in where
 * the decision's name stands counts as one.
 */
export const decidesAsOperator = ({ name, args }: Pick<Command, "name" | "args">): boolean => {
  const at = programs.has(name)
    ? 0
    : starters.has(name)
      ? args.findIndex(({ text }) => programs.has(nameOf(text))) + 1
      : -1;
  if (at < 0 || (at === 0 && !programs.has(name))) return false;
  const words = args.slice(at).filter(({ text }) => !text.startsWith("-"));
  const [first] = words;
  return first !== undefined && (!first.known || words.some(({ text }) => decisions.has(text)));
};
