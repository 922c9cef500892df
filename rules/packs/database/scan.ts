import type { WireValue } from "../../../wire/value.ts";
import { isDocument } from "../../scan/documents.ts";
import { textsOf } from "../../scan/texts.ts";
import type { Finding } from "../finding.ts";
import { injectionIn, maybeInjection } from "./injection.ts";
import type { SqlReader } from "./read-text.ts";

/** Texts put through a parser; those behind them are told as not read. */
const maxTried = 1_000;

/** Fields whose text would break out of a statement of SQL. */
export const findingsOf = async (value: WireValue, reader: SqlReader): Promise<readonly Finding[]> => {
  const found: Finding[] = [];
  let left = maxTried;
  for (const { place, text, kind, name } of textsOf(value).texts) {
    if (kind === "name" || isDocument(name) || !maybeInjection(text)) continue;
    const said = --left < 0 ? "unread" : await injectionIn(text, reader);
    if (said === "no") continue;
    const isOne = said === "yes";
    found.push({
      pack: "database",
      class: isOne ? "sql_injection" : "unread_sql",
      place,
      start: 0,
      end: text.length,
      confidence: isOne ? 0.8 : 0.3,
    });
  }
  return found;
};
