import { wordSet } from "../../names/words.ts";
import type { TextContext } from "../context.ts";
import type { Sentence } from "../sentence.ts";
import { type Sign, sign } from "../sign.ts";

/** What nobody's results should begin to carry. */
const graveNouns = wordSet(
  `password_hashes password_hash passwords plaintext_passwords social_security_numbers social_security_number ssn ssns credit_card_numbers card_numbers card_number cvv cvvs cvc bank_details
  bank_account_numbers medical_records health_records diagnoses patient_records passport_numbers tax_ids private_keys access_tokens session_tokens api_keys salaries biometric_data home_addresses`,
);
const returning = wordSet(
  "return returns returned include includes included contain contains expose exposes exposed show shows output outputs provide provides reveal reveals list lists emit emits result results",
);
const guarded = wordSet(
  "masked mask masks redacted redacts redact hidden removed excluded never not without encrypted hashed only omitted stripped except no",
);

/** New classes of data in what the tool returns. */
export const dataSigns = (sentence: Sentence, { known, isNewItem }: TextContext): readonly Sign[] => {
  if (isNewItem || !sentence.has(returning) || sentence.has(guarded)) return [];
  return sentence
    .runs(graveNouns)
    .flatMap(({ at, to, run }) =>
      sentence.isNew(at, to) && !run.split("_").every((word) => known.words.has(word))
        ? [sign("data_class_escalated", "high", "new text says that results carry another class of data")]
        : [],
    );
};
