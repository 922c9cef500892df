/** What the demonstration is guarded by: the starter pack, and one rule of one's own. */
export const rulesFor = (root: string): string => `import { defineRules, escalate } from "interlock/rules";
import { starterRules } from "interlock/rules/starter";

const root = ${JSON.stringify(root)};

export default defineRules({
  id: "quickstart",
  version: 1,
  rules: [
    ...starterRules({ roots: [root] }),
    {
      id: "quickstart.ask-before-writing",
      actions: ["write_file"],
      phase: "call",
      evaluate: () => escalate("a file is about to be written", { attributedTo: "path" }),
      examples: [{ event: { action: "write_file", args: { path: root + "/a.txt", content: "" } }, expect: "escalate" }],
    },
  ],
});
`;
