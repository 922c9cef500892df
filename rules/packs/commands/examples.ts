import type { RuleExample } from "../../types.ts";

/** Commands by what they get. The first of `silent` is the one that is tried at every start. */
export interface ExampleTexts {
  readonly silent: readonly string[];
  readonly block?: readonly string[];
  readonly escalate?: readonly string[];
}

export const examplesOf = ({
  silent,
  block = [],
  escalate = [],
}: ExampleTexts): readonly Omit<RuleExample, "given">[] => {
  const of = (commands: readonly string[], expect: RuleExample["expect"]): readonly Omit<RuleExample, "given">[] =>
    commands.map((command) => ({ event: { action: "bash", args: { command } }, expect }));
  return [
    // It needs no parser.
    { event: { action: "read_file", args: { path: "notes.txt" } }, expect: "silent" },
    ...of(silent, "silent"),
    ...of(block, "block"),
    ...of(escalate, "escalate"),
  ];
};
