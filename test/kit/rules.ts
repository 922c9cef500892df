/** Text of a rule module. `rules` is the text of its rules' array; `before` stands above it. */
export const ruleModule = (
  rules: string,
  {
    id = "kit",
    version = 1,
    before = "",
    more = "",
  }: { readonly id?: string; readonly version?: number; readonly before?: string; readonly more?: string } = {},
): string => `import { allow, block, defineRules, escalate, rewrite } from "interlock/rules";
${before}
export default defineRules({ id: ${JSON.stringify(id)}, version: ${version}, ${more} rules: [${rules}] });
`;

/** Text of one rule; `body` sees `event` and `context`. Its example is a call that it is silent about. */
export const rule = (
  id: string,
  body: string,
  { actions = [id], async: isAsync = false }: { readonly actions?: readonly string[]; readonly async?: boolean } = {},
): string => `{
  id: ${JSON.stringify(id)},
  actions: ${JSON.stringify(actions)},
  phase: "call",
  ${isAsync ? "async " : ""}evaluate(event, context) {
    if (event.args.example === true) return undefined;
    ${body}
  },
  examples: [{ event: { action: ${JSON.stringify(actions[0])}, args: { example: true } }, expect: "silent" }],
}`;

/** A rule that blocks what has `bad`, and allows the rest. */
export const plainRule = (id = "plain", action = id): string => `{
  id: ${JSON.stringify(id)},
  actions: [${JSON.stringify(action)}],
  phase: "call",
  evaluate: (event) => event.args.bad === true ? block("is bad", { attributedTo: "bad" }) : allow(),
  examples: [
    { event: { action: ${JSON.stringify(action)}, args: { bad: true } }, expect: "block" },
    { event: { action: ${JSON.stringify(action)}, args: {} }, expect: "allow" },
  ],
}`;
