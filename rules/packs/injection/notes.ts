import { count, type OptionKind, oneOf, orNull, score, shape, text } from "../option-kind.ts";
import type { Pack } from "../pack.ts";
import type { ClassifierOptions, InjectionOptions, Measure } from "./options.ts";

const measure: OptionKind<Measure> = oneOf("block", "redact", "mark", "pass");

const classifier: OptionKind<ClassifierOptions> = shape({
  url: text,
  timeout_ms: count,
  maxCharacters: count,
  maxTexts: count,
  failuresBeforePause: count,
  pause_ms: count,
  fail: oneOf("block", "ignore_classifier"),
});

export const injectionNotes: Pick<Pack<InjectionOptions>, "notes" | "options"> = {
  notes: {
    title:
      "Texts from elsewhere that speak to the model: in results of any tool, in descriptions of tools, in what is sent on",
    stops: [
      'Overrides ("ignore all previous instructions"), in English and 20 further languages, with any words between.',
      "Claims of authority (SYSTEM NOTE, administrator notices), chat delimiters (<|im_start|>, [INST]), invented turns.",
      "Requests for the system prompt, keys and key files; sending of conversations and customer data; pictures whose address carries data.",
      "Calls of a named tool, approvals, deletions and memories that nobody asked for, data of other tenants.",
      'Personas without limits, "never refuse", "do not tell the user", threats, text to decode and run, tools that praise themselves.',
      "The same in base64, base32, hexadecimal, binary, percent and HTML escapes, \\u, ROT13, backwards, leetspeak, spaced or run-together letters, look-alike letters, accents, invisible and tag characters, up to four layers deep.",
      "Everyday tasks for an assistant in what people write to each other (mails, chats, tickets, reviews), in English: a question about the world, a poem, an encoding or an advertisement for the answer. Such a text is marked; on pages only what speaks of its reader's answer.",
      "What people do not see: HTML comments, hidden elements, concealed terminal text; words that tags cut in two.",
    ],
    cannot: [
      "It reads words. A request in words that no pattern knows passes, above all one that asks for something everyday on a page.",
      'An everyday task that fits the mail ("schedule a meeting", "what is your favorite colour?") passes; a person who asks another to write or explain something is marked like one. After 2,000 sentences that may be tasks the rest of a mail is marked unread.',
      "Text in pictures and sound, ciphers of its own, and instructions spread over several results are not seen; over several texts of one list they are.",
      "Quotations beside talk of attacks pass (\"phrases like '...' are examples\"), so that security documents can be read. Whoever attacks can write so too.",
      "Languages are covered by the families that matter, not by translation: overrides, prompts, sending, memories.",
      "In the starter tier calls that write files and run commands are not searched.",
    ],
    tune: [
      'medium: "redact" takes the passage out instead of putting a heading over the text; "pass" leaves what is not sure.',
      "Raise mediumAt above 0.6 where tasks in mails are not to be marked, as in lessons.",
      "Raise mediumAt to 0.6 where texts about models are daily reading; lower highAt to 0.7 where nothing from outside is.",
      'callsLookedAt: "all" also searches files that are written.',
      "A model of your own is asked through classifier; with fail it is said what happens when it does not answer.",
    ],
  },
  options: {
    high: {
      what: "what becomes of a result that surely holds an injection",
      takes: measure,
    },
    medium: { what: "what becomes of one that may hold one", takes: measure },
    highAt: { what: "the score from which it is sure", takes: score },
    mediumAt: { what: "the score from which it may be", takes: score },
    calls: {
      what: "what becomes of a call that carries one on",
      takes: oneOf("block", "escalate", "pass"),
    },
    callsLookedAt: {
      what: '"carriers": memories, messages, prompts, other agents; "all": every call',
      takes: oneOf("carriers", "all"),
    },
    maxScannedCharacters: { what: "characters of one event; more is blocked", takes: count },
    classifier: {
      what: "a service that scores texts",
      takes: orNull(classifier),
    },
  },
};
