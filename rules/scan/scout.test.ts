import { describe, expect, it } from "vitest";
import { Scout } from "./scout.ts";

const literals = ["secret_", "sk-", "sk-ant-", "SK", "webhook.example.com/hook/", "Q~"];
const form = "webhook\\.example\\.com/hook/|sk-ant-|secret_|sk-|SK|Q~";

/** Every literal by the pattern alone, and by the pattern that a scout leads. */
const alone = (text: string): readonly number[] =>
  Array.from(text.matchAll(new RegExp(form, "g")), ({ index }) => index);
const led = (text: string): readonly number[] => {
  const scout = new Scout(literals);
  const pattern = new RegExp(form, "g");
  const found: number[] = [];
  for (let at = scout.near(text, 0); at >= 0; at = scout.near(text, pattern.lastIndex)) {
    pattern.lastIndex = at;
    const hit = pattern.exec(text);
    if (hit === null) throw new Error("the scout saw a literal where none is");
    found.push(hit.index);
  }
  return found;
};

describe("a scout", () => {
  it.each([
    ["nothing", ""],
    ["one character", "s"],
    ["no literal", "a secret is not told; skirts, sKy, Q and ~"],
    ["each literal", literals.join(" ")],
    ["literals that touch", literals.join("")],
    ["a literal in a literal", "webhook.example.com/hook/sk-ant-sk-SKQ~"],
    ["a literal at the end", "it is sk-"],
    ["characters beyond ASCII", "\u0161k-\u0153sk-\u{1f600}Q~ \u0151K SK"],
    ["beginnings that go on otherwise", "secret secret_ sk sk- webhook.example.com/ webhook.example.com/hook/"],
  ])("leads to what the pattern finds: %s", (_, text) => {
    expect(led(text)).toEqual(alone(text));
  });

  it("leads to what the pattern finds in random texts of the same letters", () => {
    const pieces = [...literals, "s", "k", "-", "_", "S", "K", "Q", "~", "sec", "ret", "web", "hook", " "];
    let state = 1;
    const next = (): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 16) % pieces.length;
    };
    for (let turn = 0; turn < 500; turn++) {
      const text = Array.from({ length: 30 }, () => pieces[next()]).join("");
      expect(led(text)).toEqual(alone(text));
    }
  });

  it("reads a text of one literal's beginning once", () => {
    const text = "webhook.example.com/hoo".repeat(50_000);
    expect(new Scout(literals).near(text, 0)).toBe(-1);
  });
});
