import { block, defineRules } from "interlock/rules";

/** Nothing is said about any of the tools. A set without any rule is refused, so it has one about an action that nobody calls. */
export default defineRules({
  id: "eval",
  version: 1,
  rules: [
    {
      id: "eval.nobody-calls-this",
      actions: ["eval.nothing"],
      phase: "call",
      evaluate: () => block("nobody calls this"),
      examples: [{ event: { action: "eval.nothing", args: {} }, expect: "block" }],
    },
  ],
});
