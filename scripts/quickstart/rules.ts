/** What the demonstration is guarded by: the standard packs, and one rule of one's own. */
export const rulesFor = (root: string): string => `import { defineRules, escalate } from "interlock/rules";
import { standardPacks } from "interlock/rules/packs";
import { quietSearch } from "interlock/rules/starter";

const root = ${JSON.stringify(root)};

const standard = standardPacks({ roots: [root] });

export default defineRules({
  id: "quickstart",
  version: 1,
  ...standard,
  rules: [
    quietSearch(),
    ...standard.rules,
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
