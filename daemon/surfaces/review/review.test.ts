import { describe, expect, test } from "vitest";
import { comparePlaces } from "./places.ts";
import { renderPlaces } from "./render.ts";
import { shownText } from "./signs.ts";

const tool = (more: object) => ({ name: "t", description: "Reads an order.", ...more }) as never;
const diff = (before: object, after: object, columns: number | null = null): readonly string[] =>
  renderPlaces(comparePlaces(tool(before), tool(after)).changed, { columns });

describe("what a reviewer is shown", () => {
  test("is the places that changed, with the words of it marked", () => {
    expect(diff({}, { description: "Reads an old order." })).toEqual([
      "description",
      '  - "Reads an order."',
      '  + "Reads an old order."',
      "              ^^^^",
    ]);
  });

  test("side by side on a wide terminal, in columns of one width", () => {
    const lines = diff({}, { description: `Reads an order, ${"and another, ".repeat(12)}或者全部。` }, 100);
    expect(lines[0]).toMatch(/^\| approved {2,}\| observed {2,}\|$/);
    expect(lines.length).toBeGreaterThan(6);
    const wide = lines.filter((line) => line.startsWith("|") && !/[^\x20-\x7e]/.test(line));
    expect(new Set(wide.map(({ length }) => length)).size).toBe(1);
  });

  test.each<[what: string, before: object, after: object]>([
    ["an enum", { inputSchema: { enum: ["a", "b"] } }, { inputSchema: { enum: ["a", "admin"] } }],
    ["a number for its text", { inputSchema: { default: 1 } }, { inputSchema: { default: "1" } }],
    ["an object for a list", { inputSchema: { a: {} } }, { inputSchema: { a: [] } }],
    ["null for nothing", { inputSchema: { a: null } }, { inputSchema: {} }],
    ["a space that is none", { title: "a b" }, { title: "a\u00a0b" }],
    ["a Cyrillic letter", { title: "send mail to admin" }, { title: "send mаil to admin" }],
    ["a whole Cyrillic word", { title: "see аре" }, { title: "see ape" }],
    ["accents put together otherwise", { title: "caf\u00e9" }, { title: "cafe\u0301" }],
    ["blanks at the end", { title: "a" }, { title: "a  " }],
    ["many blanks", { title: `a${" ".repeat(40)}b` }, { title: `a${" ".repeat(41)}b` }],
    ["a variation selector", { title: "a" }, { title: "a\ufe0f" }],
    ["a tag", { title: "a" }, { title: "a\u{e0041}" }],
    ["the name of a sign for the sign", { title: "a<U+200B>b" }, { title: "a\u200bb" }],
  ])("is never the same twice where something changed: %s", (_what, before, after) => {
    for (const columns of [null, 120]) {
      const lines = diff(before, after, columns).filter((line) => /[^\s^|]/.test(line));
      const content = lines.map((line) => line.replace(/^ {2}[-+] /, ""));
      if (columns === null) expect(new Set(content).size).toBe(content.length);
      else
        for (const line of lines.slice(1)) {
          const [, left, right] = line.split("| ");
          if (right !== undefined) expect(left?.trim()).not.toBe(right.replace(/\|$/, "").trim());
        }
    }
  });
});

test("a member's name with a dot is not two members", () => {
  expect(diff({ inputSchema: { "a.b": 1 } }, { inputSchema: { a: { b: 1 } } })).toEqual([
    "inputSchema.a.b",
    "  + 1",
    'inputSchema["a.b"]',
    "  - 1",
  ]);
});

describe("what a server wrote", () => {
  const nasty = [
    "\u001b[31mred\u001b[2J\u001b]0;title\u0007",
    "\u009b31m",
    'line\r\n  + "forged"\nsecond\u2028third\u2029fourth\u0085',
    "\u202eturned\u202c \u2066in\u2069",
    "zero\u200bwidth\u2060\ufeff \u00adsoft",
    "tags \u{e0069}\u{e0067}\u{e006e}",
    "```\n# heading\n```",
    "piled a\u0301\u0302\u0303\u0304\u0305\u0306\u0307",
    "\u0301first, private \ue000, hangul filler \u3164, braille blank \u2800",
    "עברית and عربي",
  ].join(" ");

  test.each([null, 60, 100, 160])(
    "neither moves the cursor, colours, turns nor ends a line, at %s columns",
    (columns) => {
      const lines = diff({ title: nasty, [nasty]: 1 }, { title: `${nasty}!`, [`${nasty}!`]: 1 }, columns);
      const text = lines.join("\n");
      const own = text.replaceAll("\u2068", "").replaceAll("\u2069", "").replaceAll("\n", "");
      expect(own).not.toMatch(
        /[\p{C}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}|\p{M}{3}/u,
      );
      for (const line of lines) {
        expect([...line].filter((sign) => sign === "\u2068").length).toBe(
          [...line].filter((sign) => sign === "\u2069").length,
        );
        expect(line).not.toMatch(/^(#|```)/);
      }
      expect(text).toContain("<U+200B>");
      expect(text).toContain("<U+E0069>");
      expect(text).toContain("<U+202E>");
      expect(text.split("\n").filter((line) => line.startsWith('  + "forged"'))).toEqual([]);
    },
  );

  test("in one line is one line", () => {
    expect(shownText("a\nb\u200b<U+200B>")).toBe("a<U+000A>b<U+200B><U+003C>U+200B>");
  });

  test("may be long: what is the same is counted, what changed is shown, and it takes no time", () => {
    const long = "word ".repeat(100_000);
    const started = performance.now();
    const lines = diff({ description: `${long}a` }, { description: `${long}b` });
    expect(lines.join("\n")).toMatch(/<\.\.\. \d+ characters \.\.\.>/);
    expect(lines.length).toBeLessThan(20);
    const other = diff({ description: "a b ".repeat(50_000) }, { description: "c d ".repeat(50_000) });
    expect(other.length).toBeGreaterThan(1000);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
