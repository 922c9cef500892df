import { block, rewriteResult } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { digested, isOver } from "../../scan/budget.ts";
import { redact } from "../../scan/redact.ts";
import { returned } from "../../scan/returned.ts";
import { seek } from "../../scan/seek.ts";
import { textsOf } from "../../scan/texts.ts";
import { detectSecrets } from "./detect.ts";
import { secretsIn } from "./find.ts";
import { inResultsExamples } from "./in-results.examples.ts";
import type { SecretsOptions } from "./options.ts";
import { shownPlace } from "./place.ts";
import { splitSecrets } from "./split.ts";

/** Secrets in what a tool returned are taken out before the agent sees it: what it has not seen it cannot give away. */
export const secretsInResults = ({ results, maxScannedCharacters, over }: Required<SecretsOptions>): DefinedRule =>
  defineRule({
    id: "secrets.in-results",
    actions: ["*"] as readonly string[],
    phase: "result",
    evaluate({ args }) {
      const isLong = isOver(textsOf(args), maxScannedCharacters);
      if (isLong && over === "block") return block("the result holds more than is looked at");
      const result = isLong ? digested(returned(args), maxScannedCharacters) : returned(args);
      const [split] = splitSecrets(isLong ? result : args);
      if (split !== undefined)
        return block(`the result holds a secret of the kind ${split.class} in parts`, {
          attributedTo: shownPlace(split.place),
        });
      const found = secretsIn(isLong ? result : args, "result");
      const [first] = found;
      if (first === undefined)
        return isLong
          ? rewriteResult(result, { reason: "what is more than is looked at is replaced by its digest" })
          : undefined;
      if (results === "block")
        return block(`the result holds a secret of the kind ${first.class}`, {
          attributedTo: shownPlace(first.text.place),
        });
      const { value, classes } = redact(result, (text, name) => seek(text, { phase: "result", name }, detectSecrets));
      return rewriteResult(value, { reason: `secrets were taken out: ${listed(classes)}`, attributedTo: "result" });
    },
    examples: inResultsExamples(results),
  });

/** A few kinds are named; a reason is one line. */
const listed = (classes: readonly string[]): string =>
  classes.length <= 6 ? classes.join(", ") : `${classes.slice(0, 6).join(", ")} and ${classes.length - 6} more kinds`;
