import type { WireObject } from "../../../wire/value.ts";
import { block, rewriteResult } from "../../answers.ts";
import type { DefinedRule, ResultAnswer } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { digested, isOver } from "../../scan/budget.ts";
import { redact } from "../../scan/redact.ts";
import { returned } from "../../scan/returned.ts";
import { seek } from "../../scan/seek.ts";
import { textsOf } from "../../scan/texts.ts";
import { shownPlace } from "../secrets/place.ts";
import type { IsPhone } from "./contact.ts";
import { personalIn } from "./find.ts";
import { detectorOf } from "./kinds.ts";
import type { PiiOptions } from "./options.ts";
import { phonePlan } from "./phones.ts";

/** The same numbers in what a tool returned: replaced by `[REDACTED credit_card]` and the like. */
export const piiInResults = ({ inResults, results, maxScannedCharacters, over }: Required<PiiOptions>): DefinedRule => {
  const judged = (args: WireObject, isPhone: IsPhone): ResultAnswer | undefined => {
    const isLong = isOver(textsOf(args), maxScannedCharacters);
    if (isLong && over === "block") return block("the result holds more than is looked at");
    const result = isLong ? digested(returned(args), maxScannedCharacters) : returned(args);
    const detect = detectorOf(inResults, isPhone);
    const [first] = personalIn(isLong ? result : args, "result", detect);
    if (first === undefined)
      return isLong
        ? rewriteResult(result, { reason: "what is more than is looked at is replaced by its digest" })
        : undefined;
    const attributedTo = shownPlace(first.text.place);
    if (results === "block")
      return block(`the result holds personal data of the kind ${first.class}`, { attributedTo });
    const { value, classes } = redact(result, (text, name) => seek(text, { phase: "result", name }, detect));
    return rewriteResult(value, { reason: `personal data was taken out: ${classes.join(", ")}`, attributedTo });
  };
  return defineRule({
    id: "pii.in-results",
    actions: ["*"] as readonly string[],
    phase: "result",
    evaluate({ args }) {
      const plan = phonePlan(inResults, args);
      return plan instanceof Promise ? plan.then((isPhone) => judged(args, isPhone)) : judged(args, plan);
    },
    examples: [
      { event: { action: "list_orders", args: { order: 4111111111111111, at: 1767225600 } }, expect: "silent" },
      {
        event: { action: "find_customer", args: { card_number: "4111111111111111", id: 7 } },
        ...(!inResults.includes("credit_card")
          ? { expect: "silent" as const }
          : results === "block"
            ? { expect: "block" as const }
            : { expect: "rewrite" as const, becomes: { card_number: "[REDACTED credit_card]", id: 7 } }),
      },
    ],
  });
};
