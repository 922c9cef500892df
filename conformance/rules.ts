import { defineRules } from "interlock/rules";
import { contentRules } from "./rules/content.ts";
import { failingRules } from "./rules/failing.ts";
import { humanRules } from "./rules/human.ts";
import { protocolRules } from "./rules/protocol.ts";
import { reasonRules } from "./rules/reasons.ts";
import { rewritingRules } from "./rules/rewriting.ts";
import { withoutTypes } from "./rules/without-types.ts";

/**
 * The rule set behind the corpus. The first twelve are the published protocol's, in its order; the others have actions of
 * their own and never meet them. Runs with `unknown: allow`. Never serve it to an agent: one rule loops on purpose.
 */
export default defineRules({
  id: "conformance",
  version: 1,
  rules: withoutTypes([
    ...protocolRules,
    ...contentRules,
    ...rewritingRules,
    ...humanRules,
    ...reasonRules,
    ...failingRules,
  ]),
});
