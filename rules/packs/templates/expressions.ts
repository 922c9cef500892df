/** More than this many in one text are not opened one by one. */
const maxExpressions = 2_000;
/** From the opening of an expression to its end. */
const maxCharacters = 400;

/** What stands in the braces of an expression that computes or climbs; a bare name, a filter or a path of names does neither. */
const computes =
  /#with\s{1,3}["']|[0-9]{1,9}\s{0,3}[*+/-]\s{0,3}['"]?[0-9]|__[a-z]{3,20}__|\b(?:config|self|cycler|lipsum|joiner|namespace|get_flashed_messages|url_for)\s{0,3}[.[(|]|\bself\b|\brequest\s{0,3}[.|]\s{0,3}(?:application|attr|__|environ|args)|\bconfig\b\s{0,3}$|_self\.|\|\s{0,3}attr\b|\b(?:system|popen|exec|eval|passthru|shell_exec|phpinfo|getRuntime|forName|getClass|ProcessBuilder|readFile|include|require|import)\b\s{0,3}[('"]|\bT\s{0,3}\(|freemarker\.template|\.constructor\b|\bfilter\s{0,3}\(\s{0,3}['"]|map\s{0,3}\(\s{0,3}['"]system|Class\.|java\.(?:lang|io|util)|process\.(?:env|mainModule)|#root|\bFile\.|IO\.|Kernel\.|`/;

interface Form {
  readonly opens: string;
  readonly closes: string;
  /** Characters that no expression of this form holds: what stands before one of them is another text. */
  readonly never: string;
}

/** How engines write an expression: Jinja, Twig, Handlebars, FreeMarker, Thymeleaf, ERB, Smarty, Velocity and their like. */
const forms: readonly Form[] = [
  { opens: "{{", closes: "}}", never: "{}" },
  { opens: "${", closes: "}", never: "{" },
  { opens: "<%", closes: "%>", never: "%" },
  { opens: "#{", closes: "}", never: "{" },
  { opens: "*{", closes: "}", never: "{" },
  { opens: "@{", closes: "}", never: "{" },
  { opens: "%{", closes: "}", never: "{" },
  { opens: "@(", closes: ")", never: "@" },
  { opens: "{%", closes: "%}", never: "%" },
  { opens: "[[", closes: "]]", never: "[]" },
  { opens: "<#assign", closes: ">", never: "" },
  { opens: "#set(", closes: ")", never: "" },
  { opens: "#set (", closes: ")", never: "" },
  { opens: "{php}", closes: "{", never: "" },
];

/** Look-ups of Log4j, plain and inside of each other: what they hold names a host to load from. */
const lookUp = /\$\{(?:\s{0,3}jndi:|\$\{|(?:lower|upper):)/i;

/** Braces and signs of an expression, written with percent signs for a program that takes these off. */
const escapedSigns = /%(?:7[bd]|2[345]|3[ce]|40)/gi;
const unescaped = (text: string): string =>
  text.replace(escapedSigns, (sign) => String.fromCharCode(Number.parseInt(sign.slice(1), 16)));

/** `{7*7}` of Smarty: braces of code hold more than a product. */
const product = /\{!?[0-9]{1,9}\*[0-9]{1,9}\}/;

/** An expression that computes or climbs; `uncounted`: there are more than are looked at. */
export type Expressions = { readonly at: number } | "uncounted" | null;

/** The first expression that a template engine would compute. Linear in the text, whatever it holds. */
export const expressionIn = (text: string): Expressions =>
  expressionOf(text) ?? (text.includes("%") && text.search(escapedSigns) >= 0 ? expressionOf(unescaped(text)) : null);

const expressionOf = (text: string): Expressions => {
  const found = lookUp.exec(text)?.index;
  if (found !== undefined) return { at: found };
  let left = maxExpressions;
  for (const { opens, closes, never } of forms) {
    for (let at = text.indexOf(opens); at !== -1; at = text.indexOf(opens, at + opens.length)) {
      // An expression of a workflow is no template of a server's.
      if (opens === "{{" && text[at - 1] === "$") continue;
      if (--left < 0) return "uncounted";
      const start = at + opens.length;
      const rest = text.slice(start, start + maxCharacters + closes.length);
      const end = rest.indexOf(closes);
      if (end < 1) continue;
      const inner = rest.slice(0, end);
      if (![...never].some((character) => inner.includes(character)) && computes.test(inner)) return { at };
    }
  }
  const at = product.exec(text)?.index;
  return at === undefined ? null : { at };
};
