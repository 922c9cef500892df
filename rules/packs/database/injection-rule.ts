import { block } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { textsOf } from "../../scan/texts.ts";
import { type DatabaseAnswer, everyAction } from "./answers.ts";
import { isInjection, maybeInjection } from "./injection.ts";
import { isDocument } from "./operators.ts";
import { isSqlTool, sqlPlaces } from "./places.ts";
import type { SqlReader } from "./read-text.ts";

/** Texts of one call that are put through a parser; a tool that is given more such texts is given data. */
const maxTried = 64;

/** Texts in fields of any tool that would break out of a statement of SQL that a careless program puts them into. */
export const injectionRule = (reader: SqlReader): DefinedRule => {
  /** What was said of a text before; most fields of an agent's calls come again. */
  const known = new Map<string, boolean>();
  return defineRule({
    id: "database.injection",
    actions: everyAction,
    phase: "call",
    evaluate({ action, args }) {
      const tried: { readonly place: string; readonly text: string }[] = [];
      for (const { place, text, kind, name } of textsOf(args).texts) {
        if (kind === "name" || !maybeInjection(text) || isDocument(name)) continue;
        if (known.get(text) === true) return injected(place);
        if (known.get(text) === undefined && tried.length < maxTried) tried.push({ place, text });
      }
      if (tried.length === 0) return undefined;
      const statements = isSqlTool(action) ? sqlPlaces(action, args).map(({ place }) => place) : [];
      return judged(
        tried.filter(({ place }) => !statements.includes(place)),
        reader,
        known,
      );
    },
    examples: [
      { event: { action: "get_user", args: { name: "O'Brien" } }, expect: "silent" },
      { event: { action: "get_user", args: { name: "x' OR '1'='1" } }, expect: "block" },
      { event: { action: "get_user", args: { id: "1; DROP TABLE users" } }, expect: "block" },
      { event: { action: "search", args: { q: "western union select committee" } }, expect: "silent" },
    ],
  });
};

const injected = (place: string): DatabaseAnswer =>
  block("put into a statement of SQL, it would change what the statement does", { attributedTo: place });

const maxKnown = 4_000;

const judged = async (
  texts: readonly { readonly place: string; readonly text: string }[],
  reader: SqlReader,
  known: Map<string, boolean>,
): Promise<DatabaseAnswer | undefined> => {
  for (const { place, text } of texts) {
    const isOne = await isInjection(text, reader);
    if (known.size >= maxKnown) known.clear();
    known.set(text, isOne);
    if (isOne) return injected(place);
  }
  return undefined;
};
