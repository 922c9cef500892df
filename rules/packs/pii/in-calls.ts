import type { WireObject } from "../../../wire/value.ts";
import { block, escalate, rewrite } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { isOver } from "../../scan/budget.ts";
import type { Found } from "../../scan/found.ts";
import { staysHere } from "../../scan/outward.ts";
import { redact } from "../../scan/redact.ts";
import { seek } from "../../scan/seek.ts";
import { textsOf } from "../../scan/texts.ts";
import type { BlockAnswer, EscalateAnswer, RewriteAnswer } from "../../types.ts";
import { shownPlace } from "../secrets/place.ts";
import type { IsPhone } from "./contact.ts";
import { personalIn } from "./find.ts";
import { detectorOf } from "./kinds.ts";
import type { PiiOptions } from "./options.ts";
import { phonePlan } from "./phones.ts";

type CallAnswer = BlockAnswer | EscalateAnswer | RewriteAnswer<WireObject>;

/** Numbers of cards, accounts and people in what leaves this machine. */
export const piiInCalls = ({ inCalls, calls, maxScannedCharacters }: Required<PiiOptions>): DefinedRule => {
  const judged = (args: WireObject, isPhone: IsPhone): CallAnswer | undefined => {
    const detect = detectorOf(inCalls, isPhone);
    const [first] = personalIn(args, "call", detect);
    if (first === undefined) return undefined;
    if (calls === "block") return block(`it carries ${said(first)}`, about(first));
    if (calls === "ask") return escalate(`it carries ${said(first)}`, about(first));
    const { value, classes } = redact(args, (text, name) => seek(text, { phase: "call", name }, detect));
    const after = value as WireObject;
    // A name that holds it has no other form that the tool would know.
    if (!Object.keys(args).every((name) => Object.hasOwn(after, name)))
      return block(`it carries ${said(first)}`, about(first));
    return rewrite(after, { reason: `taken out of what leaves: ${classes.join(", ")}`, ...about(first) });
  };
  return defineRule({
    id: "pii.in-calls",
    actions: ["*"] as readonly string[],
    phase: "call",
    evaluate({ action, args }) {
      if (staysHere(action)) return undefined;
      if (isOver(textsOf(args), maxScannedCharacters)) return block("the arguments hold more than is looked at");
      const plan = phonePlan(inCalls, args);
      return plan instanceof Promise ? plan.then((isPhone) => judged(args, isPhone)) : judged(args, plan);
    },
    examples: [
      { event: { action: "fetch", args: { url: "https://example.com/orders?at=1767225600" } }, expect: "silent" },
      {
        event: { action: "send_message", args: { text: "my card is 4111 1111 1111 1111" } },
        expect: inCalls.includes("credit_card") ? expected[calls] : "silent",
      },
    ],
  });
};

const expected = { ask: "escalate", block: "block", redact: "rewrite" } as const;

const said = ({ class: kind, encodings }: Found): string =>
  `personal data of the kind ${kind}${encodings.length === 0 ? "" : `, encoded as ${encodings.join(" in ")}`}`;

const about = ({ text }: Found): { readonly attributedTo: string } => ({ attributedTo: shownPlace(text.place) });
