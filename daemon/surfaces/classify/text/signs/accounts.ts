import type { TextContext } from "../context.ts";
import type { Sentence } from "../sentence.ts";
import { type Sign, sign } from "../sign.ts";

/** Where money and short messages go: wallets of Ethereum and Bitcoin, IBANs, telephone numbers with their country. */
const wallet = /^(?:0x[0-9a-f]{40}|(?:bc1|tb1)[a-z0-9]{25,62}|[13][a-z0-9]{25,34})$/;
const iban = /^[a-z]{2}\d{2}[a-z0-9]{11,30}$/;
const phone = /^\d{9,15}$/;

/** Numbers that money or messages go to, and that the approved definition does not name. */
export const accountSigns = (sentence: Sentence, { known, isNewItem }: TextContext): readonly Sign[] =>
  sentence.tokens.flatMap(({ kind, text }, at): readonly Sign[] => {
    if (kind !== "word" || !/\d/.test(text) || !sentence.isNew(at) || known.words.has(text)) return [];
    const isAccount = wallet.test(text) || (iban.test(text) && /\d{6}/.test(text));
    const isPhone =
      phone.test(text) && (sentence.hasVerb("send", "call") || sentence.has(new Set(["recipient", "number", "phone"])));
    if (!isAccount && !isPhone) return [];
    return [
      sign(
        "destination_introduced",
        isNewItem ? "high" : "critical",
        "new text names an account or a number that nobody approved",
      ),
    ];
  });
