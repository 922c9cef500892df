import { fieldKinds } from "../../names/field-kinds.ts";
import { wordSet } from "../../names/words.ts";
import type { Sentence } from "../sentence.ts";
import { type Sign, sign } from "../sign.ts";

const values = wordSet("true false yes no skip 0 1");
const orders = wordSet("always automatically must should pass set use send leave keep never omit ignore default");
const askedFirst = wordSet("after once only when if until unless has have confirmed confirms asked");

/** A text that says how a safeguard is to be answered, whatever the user says. */
export const safetySigns = (sentence: Sentence, field: string): readonly Sign[] => {
  if (!fieldKinds(field).has("safety")) return [];
  const order = sentence.find(orders);
  if (order < 0 || !sentence.has(values) || !sentence.isNew(order, order + 6)) return [];
  const isAlways = sentence.has(wordSet("always automatically never regardless"));
  if (!isAlways && sentence.has(askedFirst)) return [];
  return [
    sign("instruction_introduced", isAlways ? "high" : "moderate", "new text says how a safeguard is to be answered"),
  ];
};
