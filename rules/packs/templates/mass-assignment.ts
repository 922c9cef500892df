import { escalate } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { textsOf } from "../../scan/texts.ts";

const everyAction: readonly string[] = Object.freeze(["*"]);

const changes =
  /(?:^|[^a-z])(?:update|create|edit|patch|set|register|signup|add|modify|save|upsert|invite)(?:[^a-z]|$)/;
const people = /(?:^|[^a-z])(?:users?|profiles?|accounts?|me|members?|customers?)(?:[^a-z]|$)/;
const high = /^(?:admin|administrator|root|owner|superuser|super_admin|superadmin|sysadmin)$/i;

/** Rights that a call gives to a user among the fields of a form. */
export const massAssignmentRule = (privilegeKeys: readonly string[]): DefinedRule => {
  const keys = new Set(privilegeKeys.map((key) => key.toLowerCase().replaceAll(/[-_]/g, "")));
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
        // `user[role]` of a form is the member `role` of `user`.
        const member = /\[([^[\]]{1,64})\]$/.exec(text)?.[1] ?? text.slice(text.lastIndexOf(".") + 1);
        const key = member.toLowerCase().replaceAll(/[-_]/g, "");
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
      {
        event: { action: "update_profile", args: { name: "Ann", is_admin: true } },
        expect: keys.has("isadmin") ? "escalate" : "silent",
      },
      { event: { action: "update_profile", args: { name: "Ann", role: "admin" } }, expect: "escalate" },
    ],
  });
};
