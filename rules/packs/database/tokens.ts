import type { Spelling } from "./dialect.ts";

/** One token of SQL, as far as all databases agree. Closed. */
export type Token =
  | {
      /** A bare name or key word, in upper case. */
      readonly kind: "word";
      readonly text: string;
    }
  | {
      /** `name`: in double quotes, back quotes or brackets; what stands between them. MySQL takes double quotes for a string. */
      readonly kind: "string" | "name" | "number" | "parameter" | "mark";
      readonly text: string;
    }
  | { readonly kind: "group"; readonly tokens: readonly Token[] };

/** Longer than any statement that a person reads before it runs; a bulk import is a file's, not an agent's. */
export const maxStatementCharacters = 32_768;
const maxTokens = 6_000;
const maxDepth = 64;

/** The text is not SQL of this spelling: a database of that kind refuses it. */
export class NotSql extends Error {
  override readonly name = "NotSql";
}

/** Prefixes of strings: national, escape, bytes, bits, Unicode. */
const stringPrefixes: ReadonlySet<string> = new Set([
  "N",
  "E",
  "B",
  "X",
  "R",
  "_UTF8",
  "_UTF8MB4",
  "_LATIN1",
  "_BINARY",
]);
const word = /[\p{L}\p{N}_$@#]{1,256}/uy;
const number = /(?:0[xX][0-9A-Fa-f]{1,65536}|[0-9]{1,400}(?:\.[0-9]{0,400})?(?:[eE][+-]?[0-9]{1,5})?)/y;
const operator = /(?:::|<=>|<>|!=|<=|>=|:=|\|\||&&|#>>|#>|->>|->|@>|<@|==|=>|\.\.)/y;
const parameter =
  /(?:\?|\$[0-9]{1,5}|:[A-Za-z_]\w{0,63}|%s|%\([A-Za-z_]\w{0,63}\)s|\{\{?[ ]?[A-Za-z_][\w.]{0,63}[ ]?\}?\})/y;
const dollarTag = /\$(?:[A-Za-z_]\w{0,62})?\$/y;
const goLine = /go[ \t]*(?:[0-9]{1,5}[ \t]*)?(?:\r?\n|$)/iy;

/** The characters of `text` in one spelling, as tokens; what stands in round brackets is one `group`. Throws `NotSql`. */
export const tokensOf = (text: string, spelling: Spelling): readonly Token[] => {
  if (text.length > maxStatementCharacters || text.includes("\0")) throw new NotSql();
  const open: Token[][] = [[]];
  const reader = new Reader(text, spelling);
  let left = maxTokens;
  for (let token = reader.next(); token !== null; token = reader.next()) {
    if (--left < 0) throw new NotSql();
    const here = open.at(-1)!;
    if (token.kind === "mark" && token.text === "(") {
      if (open.length > maxDepth) throw new NotSql();
      open.push([]);
    } else if (token.kind === "mark" && token.text === ")") {
      open.pop();
      const outer = open.at(-1);
      if (outer === undefined) throw new NotSql();
      outer.push({ kind: "group", tokens: here });
    } else here.push(token);
  }
  if (open.length !== 1) throw new NotSql();
  return open[0]!;
};

const isBlank = (code: number): boolean =>
  code === 0x20 ||
  (code >= 0x09 && code <= 0x0d) ||
  code === 0xa0 ||
  code === 0x3000 ||
  code === 0xfeff ||
  (code >= 0x2000 && code <= 0x200a);

/** A letter, `_`, `@`, `#`, or beyond ASCII, which the pattern of words then decides. */
const isWordStart = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x40 && code <= 0x5a) || code === 0x5f || code === 0x23 || code >= 0x80;

class Reader {
  readonly #text: string;
  readonly #spelling: Spelling;
  #at = 0;
  /** Comments whose content is run and whose end is still to come. */
  #executed = 0;

  constructor(text: string, spelling: Spelling) {
    this.#text = text;
    this.#spelling = spelling;
  }

  next(): Token | null {
    while (this.#blank() || this.#comment());
    const text = this.#text;
    const at = this.#at;
    const first = text[at];
    if (first === undefined) {
      if (this.#executed > 0) throw new NotSql();
      return null;
    }
    if (isWordStart(text.charCodeAt(at)) && !(first === "#" && text[at + 1] === ">")) {
      if (
        this.#spelling.batches &&
        (first === "g" || first === "G") &&
        this.#isLineStart(at) &&
        this.#take(goLine) !== null
      )
        return { kind: "mark", text: ";" };
      const name = this.#take(word);
      if (name !== null) return this.#named(name.toUpperCase());
    }
    switch (first) {
      case "'":
        return { kind: "string", text: this.#quoted("'", this.#spelling.backslashEscapes) };
      case '"':
        return { kind: "name", text: this.#quoted('"', this.#spelling.backslashEscapes) };
      case "`":
        return { kind: "name", text: this.#quoted("`", false) };
      case "[":
        if (this.#spelling.bracketNames) return { kind: "name", text: this.#quoted("]", false) };
        break;
      case "$": {
        const tag = this.#take(dollarTag);
        if (tag !== null && !this.#spelling.dollarStrings) throw new NotSql();
        if (tag !== null) return { kind: "string", text: this.#until(tag) };
      }
    }
    if (first >= "0" && first <= "9") return { kind: "number", text: this.#take(number) ?? this.#character() };
    if ("?$:%{".includes(first)) {
      const held = this.#take(parameter);
      if (held !== null) return { kind: "parameter", text: held };
    }
    return {
      kind: "mark",
      text:
        ("():,;.+*/".includes(first) && first !== ":" && first !== "." ? null : this.#take(operator)) ??
        this.#character(),
    };
  }

  #named(name: string): Token {
    if (this.#text[this.#at] !== "'" || !stringPrefixes.has(name)) return { kind: "word", text: name };
    return { kind: "string", text: this.#quoted("'", name === "E" || this.#spelling.backslashEscapes) };
  }

  #character(): string {
    const point = this.#text.codePointAt(this.#at) ?? 0;
    const character = String.fromCodePoint(point);
    this.#at += character.length;
    return character;
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }

  #blank(): boolean {
    const from = this.#at;
    while (isBlank(this.#text.charCodeAt(this.#at))) this.#at++;
    return this.#at > from;
  }

  /** Steps over one comment, or over the edge of one whose content is run. */
  #comment(): boolean {
    const text = this.#text;
    const at = this.#at;
    if (!"-/#*".includes(text[at] ?? " ")) return false;
    if (this.#executed > 0 && text.startsWith("*/", at)) {
      this.#executed--;
      this.#at += 2;
      return true;
    }
    const byDashes =
      text.startsWith("--", at) && (!this.#spelling.dashesNeedSpace || /^(?:\s|$)/.test(text.slice(at + 2, at + 3)));
    if (byDashes || (this.#spelling.hashComments && text[at] === "#")) {
      const end = text.indexOf("\n", at);
      this.#at = end === -1 ? text.length : end + 1;
      return true;
    }
    if (!text.startsWith("/*", at)) return false;
    const executed = this.#spelling.executableComments ? /^\/\*M?![0-9]{0,6}/.exec(text.slice(at, at + 12)) : null;
    if (executed !== null) {
      this.#executed++;
      this.#at += executed[0].length;
      return true;
    }
    this.#at = this.#endOfComment(at + 2);
    return true;
  }

  /** A comment without an end hides the rest, as in the databases that allow it; the others refuse the text. */
  #endOfComment(from: number): number {
    const text = this.#text;
    if (!this.#spelling.nestedComments) {
      const end = text.indexOf("*/", from);
      return end === -1 ? text.length : end + 2;
    }
    const edge = /\/\*|\*\//g;
    edge.lastIndex = from;
    for (let depth = 1; depth > 0; ) {
      const found = edge.exec(text);
      if (found === null) return text.length;
      depth += found[0] === "/*" ? 1 : -1;
    }
    return edge.lastIndex;
  }

  /** From an opening quote to its end; a doubled end is one of its characters. Throws where there is no end. */
  #quoted(end: string, backslashes: boolean): string {
    const text = this.#text;
    const parts: string[] = [];
    let from = this.#at + 1;
    for (let at = from; ; at++) {
      const character = text[at];
      if (character === undefined) throw new NotSql();
      if (backslashes && character === "\\") at++;
      else if (character === end) {
        parts.push(text.slice(from, at));
        this.#at = at + 1;
        if (text[at + 1] !== end) return parts.join(end);
        at++;
        from = at + 1;
      }
    }
  }

  #until(tag: string): string {
    const end = this.#text.indexOf(tag, this.#at);
    if (end === -1) throw new NotSql();
    const inner = this.#text.slice(this.#at, end);
    this.#at = end + tag.length;
    return inner;
  }

  #isLineStart(at: number): boolean {
    for (let before = at - 1; before >= 0; before--) {
      const character = this.#text[before];
      if (character === "\n") return true;
      if (character !== " " && character !== "\t") return false;
    }
    return true;
  }
}
