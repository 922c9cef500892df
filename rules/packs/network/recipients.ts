import { block } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { type Text, textsOf } from "../../scan/texts.ts";
import type { BlockAnswer } from "../../types.ts";
import { everyAction, type NetworkOptions } from "./options.ts";

const names: ReadonlySet<string> = new Set([
  "to",
  "cc",
  "bcc",
  "recipient",
  "recipients",
  "torecipients",
  "ccrecipients",
  "bccrecipients",
  "replyto",
  "email",
  "emails",
  "emailaddress",
  "address",
  "attendees",
  "forwardto",
]);

/** Mail goes only to the domains and addresses of a list, whichever field names them. Silent where the list is empty. */
export const recipients = ({ allowRecipients }: NetworkOptions): DefinedRule => {
  const allowed = new Set(allowRecipients.map((one) => one.toLowerCase()));
  return defineRule({
    id: "network.recipients",
    actions: everyAction,
    phase: "call",
    evaluate({ args }) {
      if (allowed.size === 0) return undefined;
      const lines = textsOf(args).texts.filter(
        ({ kind, name, text }) => kind === "value" && text.includes("@") && names.has(plain(name)),
      );
      return lines.length === 0 ? undefined : judged(lines, allowed);
    },
    examples: [
      { event: { action: "send_email", args: { subject: "hello" } }, expect: "silent" },
      {
        event: { action: "send_email", args: { to: "a@not-on-any-list.example" } },
        expect: allowed.size === 0 || allowed.has("not-on-any-list.example") ? "silent" : "block",
      },
    ],
  });
};

const plain = (name: string): string => name.toLowerCase().replace(/[-_]/g, "");

const judged = async (lines: readonly Text[], allowed: ReadonlySet<string>): Promise<BlockAnswer | undefined> => {
  const { recipientsIn } = await import("../../network/recipients.ts");
  for (const { text, place } of lines) {
    const found = recipientsIn(text.replace(/^mailto:/i, ""));
    if (found === null) return block("it cannot be told who the recipients are", { attributedTo: place });
    for (const address of found)
      if (!allowed.has(address) && !allowed.has(address.slice(address.lastIndexOf("@") + 1)))
        return block("a recipient is not on the list", { attributedTo: place });
  }
  return undefined;
};
