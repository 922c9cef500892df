import type { Parser as HtmlParser, ParserOptions } from "htmlparser2";
import { type Mapped, MappedText } from "../mapped.ts";

/** What a browser would show of a page, and what it would not. */
export interface Page {
  /** The text without tags: a word that tags cut in two is one. */
  readonly shown: Mapped;
  /** Comments, and the content of elements that are not displayed, in the original's offsets. */
  readonly hidden: readonly { readonly start: number; readonly end: number }[];
}

type ParserClass = new (handler: object, options: ParserOptions) => HtmlParser;
let Parser: ParserClass | null = null;

/** Pages above this are read as text, tags included: what is hidden in them is read all the same, but not known to be hidden. */
const mostCharacters = 4 * 1024 * 1024;

/** A comment, or an element that is closed: types of a program have angle brackets too. */
export const looksLikeMarkup = (text: string): boolean =>
  text.includes("<") && (text.includes("<!--") || /<\/[a-zA-Z]/.test(text));

export const haveParser = (): boolean => Parser !== null;

/** 16 ms, paid by the first text that holds a tag. */
export const loadParser = async (): Promise<void> => {
  Parser ??= (await import("./parser.ts")).Parser as unknown as ParserClass;
};

const unshown = new Set(["noscript"]);
/** Elements that stand in a line of text: no space where they begin or end. */
const inline = new Set([
  "a",
  "abbr",
  "b",
  "bdi",
  "bdo",
  "code",
  "em",
  "font",
  "i",
  "mark",
  "s",
  "small",
  "span",
  "strong",
  "sub",
  "sup",
  "u",
  "wbr",
]);
const isVoid = new Set([
  "area",
  "base",
  "br",
  "col",
  "embed",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "source",
  "track",
  "wbr",
]);

/** Styles by which an element is there and not seen. Compared without spaces. */
const unseen =
  /display:none|visibility:hidden|opacity:0(?:\.0{1,3})?(?:;|$)|font-size:0(?:\.\d{1,3})?(?:px|pt|em|rem|%)?(?:;|$)|(?:left|top|text-indent):-\d{3,6}px|clip:rect\(0|(?:^|;)color:(?:white|#fff(?:fff)?|transparent)(?:;|$)|(?:^|;)(?:height|width):0(?:px)?(?:;|$)/;

const isUnseen = (name: string, attributes: Readonly<Record<string, string>>): boolean =>
  unshown.has(name) ||
  attributes.hidden !== undefined ||
  attributes["aria-hidden"] === "true" ||
  (attributes.style !== undefined && unseen.test(attributes.style.slice(0, 2_000).toLowerCase().replaceAll(/\s/g, "")));

/** Reads a page; null where it is too large, or the parser is not loaded. */
export const pageOf = (text: string): Page | null => {
  if (Parser === null || text.length > mostCharacters) return null;
  const shown = new MappedText(text);
  const hidden: { start: number; end: number }[] = [];
  const open: { readonly name: string; readonly hides: boolean }[] = [];
  let hiding = 0;
  let hiddenFrom = 0;
  const parser: HtmlParser = new Parser(
    {
      onopentag(name: string, attributes: Record<string, string>) {
        if (!inline.has(name)) shown.put(" ", parser.startIndex, parser.startIndex);
        const hides = isUnseen(name, attributes);
        if (isVoid.has(name)) return;
        open.push({ name, hides });
        if (hides && hiding++ === 0) hiddenFrom = parser.endIndex + 1;
      },
      onclosetag(name: string) {
        if (!inline.has(name)) shown.put(" ", parser.startIndex, parser.startIndex);
        if (isVoid.has(name)) return;
        const last = open.pop();
        if (last?.hides === true && --hiding === 0)
          hidden.push({ start: hiddenFrom, end: Math.max(hiddenFrom, parser.startIndex) });
      },
      ontext(data: string) {
        const [from, to] = [parser.startIndex, parser.endIndex + 1];
        if (data.length === to - from) shown.copy(from, to);
        else shown.put(data, from, to);
      },
      oncomment() {
        hidden.push({ start: parser.startIndex, end: parser.endIndex + 1 });
      },
    },
    { decodeEntities: true, lowerCaseTags: true, recognizeSelfClosing: true },
  );
  parser.write(text);
  parser.end();
  if (hiding > 0) hidden.push({ start: hiddenFrom, end: text.length });
  return { shown: shown.done(), hidden };
};
