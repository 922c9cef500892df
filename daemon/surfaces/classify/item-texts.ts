import { type Text, textsOf } from "../../../rules/scan/texts.ts";
import type { WireObject } from "../../../wire/value.ts";
import { mostJudgedCharacters } from "./limits.ts";
import type { TextRole } from "./text/context.ts";

/** A text of a definition, and what it is there for. */
export interface ItemText {
  readonly path: string;
  readonly text: string;
  readonly role: TextRole;
}

export interface ItemTexts {
  readonly texts: readonly ItemText[];
  /** There is more than is judged. */
  readonly isCutShort: boolean;
}

/** Words of the schema language, which the comparison of schemas judges. */
const structural: ReadonlySet<string> = new Set([
  "$schema",
  "$id",
  "$anchor",
  "$dynamicAnchor",
  "type",
  "format",
  "pattern",
  "required",
  "contentMediaType",
  "contentEncoding",
  "mimeType",
]);
const links: ReadonlySet<string> = new Set(["src", "icon", "icons", "websiteUrl", "uri", "uriTemplate", "$ref"]);
/** Shorter names of members say nothing to anybody that the comparison of schemas does not see. */
const shortestName = 24;

/** Every text of a definition, at any depth: descriptions of every node, titles, defaults, values, examples, icons, `_meta`. */
export const itemTexts = (definition: WireObject): ItemTexts => {
  const { texts, isCutShort, characters } = textsOf(definition);
  const found: ItemText[] = [];
  let left = mostJudgedCharacters;
  for (const text of texts) {
    const role = roleOf(text);
    if (role === null) continue;
    left -= text.text.length;
    if (left < 0) break;
    found.push({ path: text.place, text: text.text, role });
  }
  return { texts: found, isCutShort: isCutShort || (left < 0 && characters > mostJudgedCharacters) };
};

const roleOf = ({ kind, name, text, place }: Text): TextRole | null => {
  if (kind === "name") return text.length >= shortestName && /\s/.test(text) ? "name" : null;
  if (name === "name" && !place.includes(".")) return null;
  const inSchema = /^(?:inputSchema|outputSchema)\b/.test(place);
  if (structural.has(name) && (inSchema || name === "mimeType")) return null;
  if (name === "$ref" && text.startsWith("#")) return null;
  if (links.has(name)) return "link";
  if (name === "default") return "default";
  if (name === "enum" || name === "const") return "choice";
  if (name === "examples" || name === "example") return "example";
  return inSchema ? "parameter" : "prose";
};
