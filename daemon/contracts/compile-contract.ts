import { staticBounds } from "../../rules/contracts/bounds.ts";
import type { ToolDefinition } from "../../rules/contracts/tool.ts";
import type { RuleSet } from "../../rules/types.ts";
import { deepFreeze } from "../../wire/freeze.ts";
import type { WireObject } from "../../wire/value.ts";
import type { FieldError, ParsedArgs, ToolContract } from "./contract.ts";
import { factCheck } from "./fact-check.ts";
import { keepsAll } from "./keeps-all.ts";

/** Throws `RuleDefinitionError` for a bound that cannot be judged. */
export const compileContract = (
  tool: ToolDefinition,
  { id, resolvers, deadline_ms }: Pick<RuleSet, "id" | "resolvers" | "deadline_ms">,
): ToolContract => {
  const boundErrors = staticBounds(tool.bounds, `tool ${tool.name}`);
  return Object.freeze({
    name: tool.name,
    ruleSet: id,
    effect: tool.effect,
    idempotency: tool.idempotency,
    lease_ms: tool.lease_ms,
    redact: tool.redact,
    inputSchema: tool.inputSchema,
    deadline_ms,
    parse: (args: WireObject): ParsedArgs => {
      const read = tool.read(args);
      if (!read.ok) return refused(read.errors);
      if (!keepsAll(args, read.value)) return refused(altered);
      const parsed = deepFreeze(read.value as WireObject);
      const errors = boundErrors(parsed);
      return errors.length === 0 ? Object.freeze({ ok: true, args: parsed }) : refused(errors);
    },
    check: factCheck(tool, resolvers),
  });
};

/** An argument that is not in its plain form, such as a key that the schema's library cannot carry. */
const altered: readonly FieldError[] = Object.freeze([
  Object.freeze({ loc: "", msg: "holds what its schema would drop or change", type: "altered" }),
]);

const refused = (errors: readonly FieldError[]): ParsedArgs =>
  Object.freeze({ ok: false, errors: errors.length > 0 ? errors : altered });
