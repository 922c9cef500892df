import { remembered } from "../../../remembered.ts";
import { toolWords } from "../../../tool-words.ts";

/** Where a text comes from, as far as it matters to what an assistant's task in it means. */
export type Channel =
  /** Written to a person: mails, chats, tickets. A task for an assistant has no business there. */
  | "correspondence"
  /** Written for readers in general: pages, documents, files. It may explain and instruct; it does not speak of its reader's answer. */
  | "page";

/** Words of tool names that bring what people write to each other. */
const correspondence = new Set(
  "mail mails email emails gmail outlook inbox mailbox imap pop3 message messages thread threads chat chats slack discord teams telegram whatsapp sms conversation conversations comment comments ticket tickets zendesk intercom freshdesk calendar event events invite invitation invitations review reviews feedback newsletter".split(
    " ",
  ),
);

/** Verbs of tools that send: what they are given is the agent's own. */
const sending = new Set("send reply post draft compose write create update forward publish delete remove".split(" "));

/** `read_email`, `gmail.messages.get`, `getThread`: a word of the name says so. */
const isNamedSo = remembered((action): boolean => {
  const words = toolWords(action);
  return words.some((word) => correspondence.has(word)) && !words.some((word) => sending.has(word));
});

const headCharacters = 600;
const tailCharacters = 400;
const subject = /(?:^|[\n|])\s{0,4}subject:/i;
const sender = /(?:^|[\n|])\s{0,4}(?:from|to|email_from|received date|sent|date|cc|reply-to):/i;
const greeting =
  /(?:^|\n|\bcontent:\s{0,4})\s{0,4}(?:hi|hello|dear|hey|good (?:morning|afternoon|evening))\b[^\n]{0,40},/i;
const farewell =
  /(?:^|[\n.!?])\s{0,4}(?:(?:kind|best|warm) regards|regards|best wishes|sincerely|yours (?:truly|faithfully|sincerely)|cheers|best|thanks)[,\n!]|\bunsubscribe\b/i;

/** Two of subject, sender, greeting and farewell. */
const isShapedSo = (text: string): boolean => {
  const head = text.slice(0, headCharacters);
  // Each of the first three has one of these.
  if (!/[:,]/.test(head)) return false;
  let marks = 0;
  for (const pattern of [subject, sender, greeting]) if (pattern.test(head)) marks++;
  if (marks === 1 && farewell.test(text.slice(-tailCharacters))) marks++;
  return marks > 1;
};

export const channelOf = (action: string, text: string): Channel =>
  isNamedSo(action) || isShapedSo(text) ? "correspondence" : "page";
