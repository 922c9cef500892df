import { downloadsProgram } from "./downloads.ts";
import { expressionIn } from "./expressions.ts";
import { breaksHeader, isAmbiguousRequest } from "./headers.ts";
import { endsFilter } from "./ldap.ts";
import { holdsScript, sendsOn } from "./pages.ts";
import { setsPrototype } from "./prototypes.ts";
import { isSerialized } from "./serialized.ts";
import { steersTerminal } from "./terminal.ts";

/** What a text is that a program would act on instead of showing it. Closed. */
export type Shape =
  | "template"
  | "too_many_expressions"
  | "header"
  | "smuggled_request"
  | "ldap"
  | "prototype"
  | "serialized"
  | "terminal";
/** What a page or a person would act on. Closed. */
export type PageShape = "script" | "redirect" | "program";

/** Without one of these characters no shape is there: most fields cost nothing more. */
const possible =
  /[\u560a\u560d{}<%()[\]\\\p{Cc}:$=]|rO0AB|AAEAAAD|gASV|gAN|aced0005|Y29zCn|Y3Bvc2l4|__proto__|constructor/u;

const bare = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, "");

/** What a field is called where it stands: the members of `headers` are headers, whatever their names. */
export const fieldOf = (place: string, name: string): string => (/(?:^|\.)headers[.[]/i.test(place) ? "headers" : name);

/** The first shape of one text of a field, and null where it is only a text. `name` is the field's. */
export const shapeOf = (text: string, name: string): Shape | null => {
  if (!possible.test(text)) return null;
  const called = bare(name);
  if (/[{<#[@]|%7b|%3c|%2[345]/i.test(text)) {
    const expression = expressionIn(text);
    if (expression === "uncounted") return "too_many_expressions";
    if (expression !== null) return "template";
  }
  if (breaksHeader(text, called)) return "header";
  if (isAmbiguousRequest(text)) return "smuggled_request";
  if (endsFilter(text)) return "ldap";
  if (setsPrototype(text)) return "prototype";
  if (isSerialized(text)) return "serialized";
  return steersTerminal(text) ? "terminal" : null;
};

/** What a page, or who opens it, would act on in one text of a field. */
export const pageShapeOf = (text: string, name: string): PageShape | null => {
  if (holdsScript(text)) return "script";
  if (sendsOn(text, bare(name))) return "redirect";
  return downloadsProgram(text) ? "program" : null;
};
