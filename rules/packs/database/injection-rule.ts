import { block, escalate } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { remembered } from "../../remembered.ts";
import { isDocument } from "../../scan/documents.ts";
import { textsOf } from "../../scan/texts.ts";
import { toolWords } from "../../tool-words.ts";
import { type DatabaseAnswer, everyAction } from "./answers.ts";
import { type Injection, injectionIn, maybeInjection } from "./injection.ts";
import { isSqlTool, sqlPlaces } from "./places.ts";
import type { SqlReader } from "./read-text.ts";

/** Texts of one call that are put through a parser: of a call with more it is asked. */
const maxTried = 32;

/** Texts in fields of any tool that would break out of a statement of SQL that a careless program puts them into. */
export const injectionRule = (reader: SqlReader): DefinedRule => {
  /** What was said of a text before; most fields of an agent's calls come again. */
  const known = new Map<string, Injection>();
  return defineRule({
    id: "database.injection",
    actions: everyAction,
    phase: "call",
    evaluate({ action, args }) {
      if (searchesTheWeb(action)) return undefined;
      const tried: { readonly place: string; readonly text: string }[] = [];
      for (const { place, text, kind, name } of textsOf(args).texts) {
        if (kind === "name" || !maybeInjection(text) || isDocument(name)) continue;
        const before = known.get(text);
        if (before === "yes") return injected(place);
        if (before !== "no") tried.push({ place, text });
      }
      if (tried.length === 0) return undefined;
      // What a field called `sql` holds is a statement, whatever the tool; the rule for statements judges it.
      const statements = sqlPlaces(action, args)
        .filter(({ certain }) => certain || isSqlTool(action))
        .map(({ place }) => place);
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

const engines: ReadonlySet<string> = new Set(
  "web websearch google bing brave duckduckgo tavily serpapi kagi perplexity exa stackoverflow".split(" "),
);

/** What is asked of a search engine of the web ends in nobody's own statement, and people ask about injections. */
const searchesTheWeb = remembered((action: string): boolean => {
  const words = toolWords(action);
  return (
    words.some((word) => word === "websearch" || word.startsWith("search")) && words.some((word) => engines.has(word))
  );
});

const injected = (place: string): DatabaseAnswer =>
  block("put into a statement of SQL, it would change what the statement does", { attributedTo: place });

const maxKnown = 4_000;
/** Longer texts hardly come again. */
const maxKnownCharacters = 1_024;

const judged = async (
  texts: readonly { readonly place: string; readonly text: string }[],
  reader: SqlReader,
  known: Map<string, Injection>,
): Promise<DatabaseAnswer | undefined> => {
  let doubt: DatabaseAnswer | undefined;
  for (const { place, text } of texts.slice(0, maxTried)) {
    const found = known.get(text) ?? (await injectionIn(text, reader));
    if (known.size >= maxKnown) known.clear();
    if (text.length <= maxKnownCharacters) known.set(text, found);
    if (found === "yes") return injected(place);
    if (found === "unread")
      doubt ??= escalate("it goes on as SQL behind the end of a value, and is longer than is read", {
        attributedTo: place,
      });
  }
  const next = texts[maxTried];
  if (next !== undefined)
    doubt ??= escalate("more texts than are read could break out of a statement of SQL", { attributedTo: next.place });
  return doubt;
};
