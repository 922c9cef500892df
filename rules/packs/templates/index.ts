import { definePack } from "../pack.ts";
import { massAssignmentRule, shapesRule, type TemplatesOptions } from "./rules.ts";

export type { TemplatesOptions } from "./rules.ts";

const starter: TemplatesOptions = Object.freeze({
  privilegeKeys: Object.freeze([
    "is_admin",
    "admin",
    "is_superuser",
    "superuser",
    "is_staff",
    "is_root",
    "permissions",
    "privileges",
    "is_owner",
    "scopes",
  ]),
  pages: "pass",
});

/** Texts of fields that a program acts on: templates, headers, XML, LDAP, prototypes, serialized objects. */
export const templates = definePack<TemplatesOptions>({
  id: "templates",
  notes: {
    title: "Fields that a program would act on: templates, headers, XML, LDAP filters, prototypes, serialized objects",
    stops: [
      "Expressions of template engines that compute or climb: {{7*7}}, <%= system(1) %>, {{x.__class__}}; {{name}} and shell variables pass.",
      "Line breaks in headers and addresses, raw and as %0d%0a; XML with entities, an external document type or XInclude.",
      "Filters of LDAP that end early; __proto__ and constructor.prototype, in names, JSON text and query strings.",
      "Serialized objects of Java, PHP, .NET and Python; control sequences of terminals.",
      "Rights among the fields of a user: is_admin, permissions, role: admin.",
    ],
    cannot: [
      "Documents: arguments named content, text, body, code and the like, and texts above 8,192 characters, except XML.",
      "It does not know which template engine there is; an expression of names alone passes, whatever they lead to.",
    ],
    tune: [
      'pages: "escalate" asks about scripts in fields and addresses that send on to another host.',
      "privilegeKeys are the names that grant rights with you.",
    ],
  },
  options: {
    privilegeKeys: {
      what: "members that grant rights to a user",
      starter: "is_admin and nine more",
      strict: "the same",
    },
    pages: {
      what: 'scripts in fields, and addresses that send on: "pass" or "escalate"',
      starter: '"pass"',
      strict: '"escalate"',
    },
  },
  tiers: { starter, strict: Object.freeze({ ...starter, pages: "escalate" }) },
  rules: (options) => [shapesRule(options), massAssignmentRule(options)],
});
