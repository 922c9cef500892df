import type { WireValue } from "../../../wire/value.ts";
import { isDocument } from "../../scan/documents.ts";
import { textsOf } from "../../scan/texts.ts";
import type { Finding } from "../finding.ts";
import { fieldOf, shapeOf } from "./shapes.ts";
import { mayBeParsed, maybeXml, reachesOut } from "./xml.ts";

/** A shape is the whole text's: what a program acts on is the text, not a part of it. */
const confidence = 0.8;

/** Fields of a value that a program would act on. */
export const findingsOf = async (value: WireValue): Promise<readonly Finding[]> => {
  const found: Finding[] = [];
  for (const { place, text, kind, name } of textsOf(value).texts) {
    if (kind === "name") continue;
    const of = async (): Promise<string | null> => {
      const isText = isDocument(name);
      if (text.includes("<") && maybeXml(text) && (!isText || mayBeParsed(text)) && (await reachesOut(text)))
        return "external_entity";
      return isText ? null : shapeOf(text, fieldOf(place, name));
    };
    const shape = await of();
    if (shape !== null) found.push({ pack: "templates", class: shape, place, start: 0, end: text.length, confidence });
  }
  return found;
};
