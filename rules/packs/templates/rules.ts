import type { WireObject, WireValue } from "../../../wire/value.ts";
import { block, escalate } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { textsOf } from "../../scan/texts.ts";
import type { BlockAnswer, EscalateAnswer } from "../../types.ts";
import { isDocument } from "../database/operators.ts";
import { type Shape, shapesOf } from "./patterns.ts";
import { maybeXml, reachesOut } from "./xml.ts";

export interface TemplatesOptions {
  /** Members that grant rights, which no caller sets of a user. */
  readonly privilegeKeys: readonly string[];
  /** What becomes of scripts in fields, and of addresses that send on to another host. */
  readonly pages: "pass" | "escalate";
}

const everyAction: readonly string[] = Object.freeze(["*"]);

const reasons: Readonly<Record<Shape, string>> = {
  template: "a template engine would compute what it holds",
  header: "a line break in it begins another header",
  ldap: "it ends a filter of LDAP and begins another",
  prototype: "it sets the prototype of every object",
  serialized: "it is a serialized object, which runs code where it is read",
  terminal: "it holds control sequences of a terminal",
  script: "it holds a script",
  redirect: "it sends on to another host",
};
const asked: ReadonlySet<Shape> = new Set(["script", "redirect"]);
/** Without one of these characters no shape is there: most fields cost nothing more. */
const possible = /[{}<%()[\]\\\p{Cc}:$=]|rO0AB|AAEAAAD|gASV|gAN|aced0005|Y29zCn|__proto__|constructor|^\/\//u;

/** Texts of fields that the program which gets them would act on. */
export const shapesRule = (options: TemplatesOptions): DefinedRule =>
  defineRule({
    id: "templates.shapes",
    actions: everyAction,
    phase: "call",
    evaluate({ args }) {
      const xml: { readonly place: string; readonly text: string }[] = [];
      let doubt: EscalateAnswer | undefined;
      for (const { place, text, kind, name } of textsOf(args).texts) {
        if (kind === "name") {
          if (
            text === "__proto__" ||
            (text.length < 256 && text.includes("__proto__")) ||
            (text.includes("constructor") && shapesOf(text, "").includes("prototype"))
          )
            return block(reasons.prototype, { attributedTo: place });
          continue;
        }
        if (text.includes("<") && maybeXml(text)) xml.push({ place, text });
        if (isDocument(name) || !possible.test(text)) continue;
        for (const shape of shapesOf(text, name)) {
          if (!asked.has(shape)) return block(reasons[shape], { attributedTo: place });
          if (options.pages === "escalate") doubt ??= escalate(reasons[shape], { attributedTo: place });
        }
      }
      const polluted = pollutes(args, 0);
      if (polluted) return block(reasons.prototype);
      return xml.length === 0 ? doubt : external(xml, doubt);
    },
    examples: [
      { event: { action: "greet", args: { name: "{{name}}" } }, expect: "silent" },
      { event: { action: "greet", args: { name: "{{7*7}}" } }, expect: "block" },
      {
        event: { action: "parse", args: { xml: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>' } },
        expect: "block",
      },
      { event: { action: "merge", args: { a: { constructor: { prototype: { admin: true } } } } }, expect: "block" },
    ],
  });

const external = async (
  texts: readonly { readonly place: string; readonly text: string }[],
  doubt: EscalateAnswer | undefined,
): Promise<BlockAnswer | EscalateAnswer | undefined> => {
  for (const { place, text } of texts)
    if (await reachesOut(text))
      return block("it is XML that names what stands elsewhere, or that grows", { attributedTo: place });
  return doubt;
};

/** `constructor` that holds a `prototype`, at any depth. */
const pollutes = (value: WireValue, depth: number): boolean => {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array || depth > 64) return false;
  if (Array.isArray(value)) return value.some((item) => pollutes(item, depth + 1));
  const holder = value as WireObject;
  const own = Object.hasOwn(holder, "constructor") ? holder.constructor : undefined;
  if (typeof own === "object" && own !== null && Object.hasOwn(own, "prototype")) return true;
  return Object.values(holder).some((inner) => pollutes(inner, depth + 1));
};

const changes =
  /(?:^|[^a-z])(?:update|create|edit|patch|set|register|signup|add|modify|save|upsert|invite)(?:[^a-z]|$)/;
const people = /(?:^|[^a-z])(?:users?|profiles?|accounts?|me|members?|customers?)(?:[^a-z]|$)/;
const high = /^(?:admin|administrator|root|owner|superuser|super_admin|superadmin|sysadmin)$/i;

/** Rights that a call gives to a user among the fields of a form. */
export const massAssignmentRule = (options: TemplatesOptions): DefinedRule => {
  const keys = new Set(options.privilegeKeys.map((key) => key.toLowerCase().replaceAll(/[-_]/g, "")));
  return defineRule({
    id: "templates.mass-assignment",
    actions: everyAction,
    phase: "call",
    evaluate({ action, args }) {
      const name = action
        .slice(0, 256)
        .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
        .toLowerCase();
      if (!changes.test(name) || !people.test(name)) return undefined;
      for (const { place, text, kind, beside } of textsOf(args).texts) {
        if (kind !== "name") continue;
        const value = beside?.[text];
        const key = text.toLowerCase().replaceAll(/[-_]/g, "");
        const grants = keys.has(key) && value !== false && value !== null && value !== "false" && value !== 0;
        const raises =
          (key === "role" || key === "roles" || key === "usertype" || key === "accounttype") &&
          [value].flat().some((one) => typeof one === "string" && high.test(one));
        if (grants || raises) return escalate("it gives rights to a user among other fields", { attributedTo: place });
      }
      return undefined;
    },
    examples: [
      { event: { action: "update_profile", args: { name: "Ann" } }, expect: "silent" },
      { event: { action: "update_profile", args: { name: "Ann", is_admin: true } }, expect: "escalate" },
    ],
  });
};
