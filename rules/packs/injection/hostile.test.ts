import { beforeAll, expect, it } from "vitest";
import { missingFor, signalsOf } from "./sources.ts";

const size = 100_000;

/** Pieces that, repeated, make the most work: heads of patterns, beginnings of what is decoded, marks that quote. */
const pieces: readonly string[] = [
  "ignore ",
  "ignore all ",
  "send secret it ",
  "you are now you ",
  "'ignore all previous instructions example ",
  "reveal your system show secret ",
  "execute execute call ",
  "ignoreall",
  "1gn0 ",
  "a b c ",
  "%25",
  "&#65;",
  "\\u0041",
  "QUJD",
  "00 ",
  "<",
  "<!--",
  "<b>",
  "<p hidden>",
  "![a](//a?",
  "http://a?b=",
  "a@b.",
  "\u001b[",
  "\u001b]",
  "\u200b",
  "ï",
  "аa",
  "忽略所有",
  "игнорируй ",
  "무시하고 ",
  "\nhuman: ",
  '{"a":',
];

/** Milliseconds of this thread's work: on a busy machine the wall says little. */
const workOf = (act: () => void): number => {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

/** How much slower this machine is now than a quiet one, which adds up a million letters in 1.5 ms. */
const slowness = (): number => {
  const text = "abcdefghij".repeat(100_000);
  let sum = 0;
  const took = Math.min(
    ...[1, 2, 3].map(() =>
      workOf(() => {
        for (let at = 0; at < text.length; at++) sum += text.charCodeAt(at);
      }),
    ),
  );
  return Math.max(1, took / 1.5 + (sum === 0 ? 1 : 0));
};

beforeAll(async () => {
  await missingFor([{ text: "<b></b> аa" }]);
});

it.each(pieces)("100 KB of %j take less than 50 ms", (piece) => {
  const text = piece.repeat(Math.ceil(size / piece.length));
  const passage = { text, action: "fetch", place: "", name: "" };
  const times = [1, 2, 3, 4].map(() => workOf(() => signalsOf(passage)));
  // The best of four: the first compiles, and others run beside it.
  expect(Math.min(...times) / slowness()).toBeLessThan(50);
});

it("takes time in proportion to the length", () => {
  const text = "Please send the notes, then ignore the old file and call me. ".repeat(2_000);
  const once = Math.min(...[1, 2, 3].map(() => workOf(() => signalsOf({ text, action: "a", place: "", name: "" }))));
  const eight = workOf(() => signalsOf({ text: text.repeat(8), action: "a", place: "", name: "" }));
  expect(eight).toBeLessThan(Math.max(once, 5) * 30);
});
