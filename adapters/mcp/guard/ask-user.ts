import type { Escalation } from "../../../client-node/escalation.ts";
import { oneLine } from "../../../client-node/one-line.ts";
import type { JsonObject } from "../../../wire/value.ts";
import type { Exchange } from "../relay/exchange.ts";
import { maxShownArguments } from "../relay/limits.ts";
import { isObject } from "../relay/message.ts";
import type { Sides } from "../relay/relay.ts";

/** Can the host ask its user by a form? `{}` is how it was said before there were other ways to ask. */
export const canAskByForm = (capabilities: unknown): boolean => {
  if (!isObject(capabilities) || !isObject(capabilities.elicitation)) return false;
  const { elicitation } = capabilities;
  return Object.keys(elicitation).length === 0 || isObject(elicitation.form);
};

/** Asks the host's user by an elicitation whether the call may run. Only a ticked box that was accepted is a yes. */
export const askUser =
  (exchange: Exchange, { host }: Sides) =>
  async ({ action, reason, args }: Escalation): Promise<boolean> => {
    const words = `interlock: may '${oneLine(action)}' run? ${oneLine(reason)}\nIt would run with: ${shown(args)}`;
    const answer = await host.own("elicitation/create", { message: words, requestedSchema: form }, exchange);
    return (
      isObject(answer) && answer.action === "accept" && isObject(answer.content) && answer.content.approve === true
    );
  };

const form: JsonObject = {
  type: "object",
  properties: {
    approve: { type: "boolean", title: "Let this one call run", default: false },
  },
  required: ["approve"],
};

const unseen = /[\p{C}\p{Zl}\p{Zp}\p{DI}]/gu;

/** What is not seen is written out, so that the user approves what runs; what is too long says so. */
const shown = (args: Readonly<Record<string, unknown>>): string => {
  const text = JSON.stringify(args).replace(unseen, (sign) => `\\u{${(sign.codePointAt(0) as number).toString(16)}}`);
  if (text.length <= maxShownArguments) return text;
  return `${text.slice(0, maxShownArguments).toWellFormed()}... (${text.length} characters)`;
};
