import { block, escalate } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { isDocument } from "../../scan/documents.ts";
import { type Text, textsOf } from "../../scan/texts.ts";
import type { BlockAnswer, EscalateAnswer } from "../../types.ts";
import { ambiguousHeaders, namesHeaders } from "./headers.ts";
import { holdsPrototype, setsPrototype } from "./prototypes.ts";
import { fieldOf, type PageShape, pageShapeOf, type Shape, shapeOf } from "./shapes.ts";
import { mayBeParsed, maybeXml, reachesOut } from "./xml.ts";

const reasons: Readonly<Record<Shape | PageShape, string>> = {
  template: "a template engine would compute what it holds",
  too_many_expressions: "it holds more expressions of templates than are read",
  header: "a line break in it begins another header",
  smuggled_request: "its headers say in two ways where the request ends",
  ldap: "it ends a filter of LDAP and begins another",
  prototype: "it sets the prototype of every object",
  serialized: "it is a serialized object, which runs code where it is read",
  terminal: "it holds control sequences of a terminal",
  script: "it holds a script",
  redirect: "it sends on to another host",
  program: "it is the address of a program",
};

const everyAction: readonly string[] = Object.freeze(["*"]);

type Answer = BlockAnswer | EscalateAnswer;

/** Texts of fields that the program which gets them would act on. `pages`: what becomes of scripts, redirects and programs. */
export const shapesRule = (pages: "pass" | "escalate"): DefinedRule =>
  defineRule({
    id: "templates.shapes",
    actions: everyAction,
    phase: "call",
    evaluate({ args }) {
      const xml: Text[] = [];
      let doubt: EscalateAnswer | undefined;
      let hasHeaders = false;
      let hasConstructor = false;
      for (const field of textsOf(args).texts) {
        const { place, text, kind, name } = field;
        if (kind === "name") {
          if (text === "__proto__" || setsPrototype(text)) return block(reasons.prototype, { attributedTo: place });
          hasHeaders ||= namesHeaders(text);
          hasConstructor ||= text === "constructor";
          continue;
        }
        const isText = isDocument(name);
        if (text.includes("<") && maybeXml(text) && (!isText || mayBeParsed(text))) xml.push(field);
        if (isText) continue;
        const shape = shapeOf(text, fieldOf(place, name));
        if (shape === "too_many_expressions") doubt ??= escalate(reasons[shape], { attributedTo: place });
        else if (shape !== null) return block(reasons[shape], { attributedTo: place });
        const page = pages === "escalate" ? pageShapeOf(text, name) : null;
        if (page !== null) doubt ??= escalate(reasons[page], { attributedTo: place });
      }
      if (hasConstructor && holdsPrototype(args)) return block(reasons.prototype);
      const ambiguous = hasHeaders ? ambiguousHeaders(args) : null;
      if (ambiguous !== null) return block(reasons.smuggled_request, { attributedTo: ambiguous });
      return xml.length === 0 ? doubt : ofXml(xml, doubt);
    },
    examples: [
      { event: { action: "greet", args: { name: "{{name}}" } }, expect: "silent" },
      { event: { action: "greet", args: { name: "{{7*7}}" } }, expect: "block" },
      {
        event: { action: "parse", args: { xml: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>' } },
        expect: "block",
      },
      { event: { action: "merge", args: { a: { constructor: { prototype: { admin: true } } } } }, expect: "block" },
      {
        event: {
          action: "http_request",
          args: { headers: { "Content-Length": "6", "Transfer-Encoding": "chunked" } },
        },
        expect: "block",
      },
    ],
  });

const ofXml = async (texts: readonly Text[], doubt: EscalateAnswer | undefined): Promise<Answer | undefined> => {
  for (const { place, text } of texts)
    if (await reachesOut(text))
      return block(
        "it is XML that loads a file or an address through an entity, or whose entities grow: write it without them",
        { attributedTo: place },
      );
  return doubt;
};
