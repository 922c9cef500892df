import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WireValue } from "../../wire/value.ts";
import { detectorOf } from "../packs/pii/kinds.ts";
import { detectSecrets } from "../packs/secrets/detect.ts";
import { redact, type Spans } from "./redact.ts";
import { seek } from "./seek.ts";

const personal = detectorOf(["credit_card", "iban", "ssn", "email"], () => false);
const spans = (text: string, name: string) =>
  seek(text, { phase: "result", name }, (inner, about) => [...detectSecrets(inner, about), ...personal(inner, about)]);
const redacted = (value: WireValue): WireValue => redact(value, spans).value;

const letters = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zC";
const secret = (prefix: string) =>
  fc.array(fc.constantFrom(...letters), { minLength: 30, maxLength: 40 }).map((body) => `${prefix}a1B${body.join("")}`);
const planted = fc.oneof(
  secret("ghp_"),
  secret("glpat-"),
  secret(`sk_${"live"}_`),
  fc.constant("4111 1111 1111 1111"),
  fc.constant("536-90-4399"),
);

const encodings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => Buffer.from(text).toString("base64"),
  (text) => Buffer.from(text).toString("hex"),
  (text) => encodeURIComponent(text).replaceAll("_", "%5F"),
  (text) => JSON.stringify({ password: text, at: 1767225600 }),
  (text) => JSON.stringify({ inner: JSON.stringify({ text: `é "${text}"\n` }) }),
  (text) => `first line\n  key: ${text}\nlast "line"`,
];
const hiding = fc.tuple(planted, fc.constantFrom(...encodings)).map(([text, encode]) => encode(text));
const leaf = fc.oneof(hiding, fc.string(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null), fc.integer());
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("text", "password", "data", "content", "value", "name", "card", "at"), tie("value"), {
      maxKeys: 4,
    }),
  ),
})).value as fc.Arbitrary<WireValue>;

/** Objects, lists, numbers and the rest, without what texts say. */
const shape = (given: WireValue): unknown => {
  if (typeof given === "string") return "text";
  if (Array.isArray(given)) return given.map(shape);
  if (typeof given === "object" && given !== null)
    return Object.entries(given as Record<string, WireValue>).map(([name, inner]) => [name, shape(inner)]);
  return Object.is(given, -0) ? 0 : given;
};

const strings = (given: WireValue, name = ""): readonly (readonly [string, string])[] => {
  if (typeof given === "string") return [[name, given]];
  if (Array.isArray(given)) return given.flatMap((item) => strings(item, name));
  if (typeof given !== "object" || given === null) return [];
  return Object.entries(given as Record<string, WireValue>).flatMap(([inner, item]) => strings(item, inner));
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe("redaction", () => {
  it("keeps the shape and the types, leaves nothing that is found, and JSON in texts stays JSON", () => {
    fc.assert(
      fc.property(value, (given) => {
        const after = redacted(given);
        expect(shape(after)).toEqual(shape(given));
        const texts = strings(after);
        for (const [name, text] of texts) expect(spans(text, name)).toEqual([]);
        for (const [index, [, text]] of strings(given).entries())
          if (/^\s*[{[]/.test(text) && isJson(text)) expect(isJson(texts[index]?.[1] ?? "")).toBe(true);
        const whole = JSON.stringify(after);
        expect(spans(whole, "").filter(({ encodings: layers }) => layers.length > 0)).toEqual([]);
      }),
      { numRuns: 400, seed: 7 },
    );
  });

  it("is the same when it is done twice", () => {
    fc.assert(
      fc.property(value, (given) => {
        expect(redacted(redacted(given))).toEqual(redacted(given));
      }),
      { numRuns: 200, seed: 8 },
    );
  });

  const token = `ghp_${letters}a1B2`;
  it("replaces a blob of text whole, and what follows `base64,`, by base64", () => {
    const blob = Buffer.from(`key ${token}\n`).toString("base64");
    const after = redacted({
      contents: [{ uri: "a", mimeType: "text/plain", blob }],
      link: `data:text/plain;base64,${blob}`,
    }) as never as {
      contents: [{ blob: string }];
      link: string;
    };
    expect(Buffer.from(after.contents[0].blob, "base64").toString()).toBe("[REDACTED github_token]");
    expect(Buffer.from(after.link.split(",")[1]!, "base64").toString()).toBe("[REDACTED github_token]");
  });

  it("takes bytes that are text as text, and leaves other bytes", () => {
    const other = new Uint8Array([137, 80, 78, 71, 255]);
    const after = redacted({ text: new Uint8Array(Buffer.from(`key ${token}`)), other }) as {
      text: Uint8Array;
      other: Uint8Array;
    };
    expect(Buffer.from(after.text).toString()).toBe("key [REDACTED github_token]");
    expect(after.other).toBe(other);
  });

  it("takes out of bytes with a broken letter what it takes out of others", () => {
    const broken = Buffer.concat([Uint8Array.of(0xff), Buffer.from(`key ${token}`)]);
    const after = redacted({ text: new Uint8Array(broken) }) as { text: Uint8Array };
    expect(Buffer.from(after.text).toString()).toBe("\ufffdkey [REDACTED github_token]");
  });

  it("two names that are the same once they are redacted stay two members", () =>
    expect(redacted({ [token]: 1, [`${token}X`]: 2 })).toEqual({
      "[REDACTED github_token]": 1,
      "[REDACTED github_token] 2": 2,
    }));

  it("leaves a number where the number of a card was", () => {
    const cards: Spans = (text, name) =>
      name === "card_number"
        ? [{ class: "credit_card", start: 0, end: text.length, confidence: 1, encodings: [] }]
        : [];
    expect(redact({ card: { number: 4111111111111111, cvv: "1" }, order: 4111111111111111 }, cards)).toEqual({
      value: { card: { number: 0, cvv: "1" }, order: 4111111111111111 },
      classes: ["credit_card"],
    });
  });
});
