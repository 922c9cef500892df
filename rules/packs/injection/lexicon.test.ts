import { describe, expect, it } from "vitest";
import { inPlainLetters } from "../../text/normalise/letters.ts";
import { mostConcepts, perMeaning } from "../../text/words/lexicon.ts";
import { lexicons, plainList } from "./lexicon.ts";
import { concepts } from "./vocabulary/concept.ts";
import { english } from "./vocabulary/english.ts";
import { languages } from "./vocabulary/languages.ts";

const lists = [english, ...languages].flatMap((vocabulary) => Object.values(vocabulary));

/** The concepts of a word, by name; none where it is not in the lexicon. */
const conceptsOf = (word: string, disguise: "plain" | "rot13" | "reversed" = "plain"): readonly string[] => {
  const { words } = lexicons();
  let node = 0;
  for (let at = 0; at < word.length; at++) {
    node = words.step(node, word.charCodeAt(at));
    if (node === 0) return [];
  }
  const meaning = words.value[node]!;
  const masks = words.masks[disguise];
  return concepts.filter((_, at) => (masks[meaning * perMeaning + (at >> 5)]! & (1 << (at & 31))) !== 0);
};

describe("the lexicon", () => {
  it("reads the words of every language in the letters in which texts are read", () => {
    const differing = lists.filter((list) => plainList(list) !== inPlainLetters(list).text);
    expect(differing).toEqual([]);
  });

  it("knows every word that is listed, with its concept, whatever was listed before and after", () => {
    for (const vocabulary of [english, ...languages])
      for (const [concept, list] of Object.entries(vocabulary))
        for (const word of plainList(list).split(" "))
          if (!/['-]/.test(word)) expect(conceptsOf(word.replace("*", "")), word).toContain(concept);
  });

  it("has a bit for each concept", () => {
    expect(concepts.length).toBeLessThanOrEqual(mostConcepts);
  });

  it("knows words in ROT13 and backwards as such, and no short ones", () => {
    expect(conceptsOf("vtaber", "rot13")).toEqual(["override"]);
    expect(conceptsOf("erongi", "reversed")).toEqual(["override"]);
    expect(conceptsOf("vtaber")).toEqual([]);
    expect(conceptsOf("nyy", "rot13")).toEqual([]);
  });

  it("goes on behind a stem with every ending", () => {
    expect(conceptsOf("игнорируите")).toContain("override");
  });

  it("has one meaning for what is no word, in every disguise", () => {
    const { words, shapes } = lexicons();
    const bit = concepts.indexOf("link");
    for (const masks of [words.masks.plain, words.masks.rot13, words.masks.reversed])
      expect(masks[shapes.link * perMeaning + (bit >> 5)]).toBe(1 << (bit & 31));
  });

  it("has fewer words with signs for letters than it leaves room for", () => {
    const { words, leet } = lexicons();
    expect(leet().meanings).toBeLessThan(words.meanings);
  });
});
