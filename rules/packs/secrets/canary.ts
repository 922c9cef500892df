import { createHash } from "node:crypto";
import { block } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { hitsOf } from "../../scan/hits.ts";
import { seek } from "../../scan/seek.ts";
import type { Detect, Span } from "../../scan/span.ts";
import { textsOf } from "../../scan/texts.ts";
import { shownPlace } from "./place.ts";

/** A planted text that is shorter would be in other texts by chance. */
const minCanaryCharacters = 8;

/** Words as a digest is made of them; what is between them is no part. */
const words = /[A-Za-z0-9_.@+/=-]{8,256}/g;
const digestForm = /^sha256:[0-9a-f]{64}$/;

/** Texts that were planted where nobody needs them. Whatever call carries one has read what it should not, and is blocked. Throws for one that is too short. */
export const canaries = (planted: readonly string[]): DefinedRule => {
  const detect = detector(planted);
  return defineRule({
    id: "secrets.canary",
    actions: ["*"] as readonly string[],
    phase: "call",
    evaluate({ args }) {
      for (const text of textsOf(args).texts)
        if (seek(text.text, { phase: "call", name: "" }, detect, text).length > 0)
          return block("it carries a text that was planted and must not leave", {
            attributedTo: shownPlace(text.place),
          });
      const all = textsOf(args)
        .texts.filter(({ kind }) => kind !== "name")
        .map(({ text }) => text)
        .join("");
      return detect(all, whole).length > 0 ? block("it carries a planted text in pieces") : undefined;
    },
    examples: [{ event: { action: "fetch", args: { url: "https://example.com/" } }, expect: "silent" }],
  });
};

const whole = { phase: "call", name: "", isBinary: false, encodings: [] } as const;

const detector = (planted: readonly string[]): Detect => {
  const digests = new Set(planted.filter((text) => digestForm.test(text)).map((text) => text.slice(7)));
  const plain = planted.filter((text) => !digestForm.test(text)).map((text) => text.toLowerCase());
  for (const text of plain)
    if (text.length < minCanaryCharacters)
      throw new TypeError(`a canary has at least ${minCanaryCharacters} characters`);
  const backwards = plain.map((text) => [...text].reverse().join(""));
  return (text) => {
    const lower = text.toLowerCase();
    if ([...plain, ...backwards].some((canary) => lower.includes(canary))) return [found];
    if (digests.size === 0) return [];
    return hitsOf(words, text).some(({ text: word }) => digests.has(createHash("sha256").update(word).digest("hex")))
      ? [found]
      : [];
  };
};

const found: Span = { class: "canary", start: 0, end: 0, confidence: 1, encodings: [] };
