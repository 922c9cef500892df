import { listOf, oneOf, text } from "../option-kind.ts";
import { definePack } from "../pack.ts";
import { massAssignmentRule } from "./mass-assignment.ts";
import { findingsOf } from "./scan.ts";
import { shapesRule } from "./shapes-rule.ts";

export interface TemplatesOptions {
  /** Members that grant rights, which no caller sets of a user. */
  readonly privilegeKeys: readonly string[];
  /** What becomes of scripts in fields, addresses that send on to another host, and addresses of programs. */
  readonly pages: "pass" | "escalate";
}

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
      "Line breaks in headers and addresses, raw and as %0d%0a; headers that say in two ways where a request ends (Content-Length with Transfer-Encoding).",
      "XML with entities, an external document type or XInclude.",
      "Filters of LDAP that end early; __proto__ and constructor.prototype, in names, JSON text and query strings.",
      "Serialized objects of Java, PHP, .NET and Python; control sequences of terminals.",
      "Rights among the fields of a user: is_admin, permissions, role: admin.",
    ],
    cannot: [
      "Documents: arguments named content, text, body, code and the like, except XML.",
      "It does not know which template engine there is; an expression of names alone passes, whatever they lead to.",
    ],
    tune: [
      'pages: "escalate" asks about scripts in fields, addresses that send on to another host, and addresses of programs (.exe, .sh, .msi).',
      "privilegeKeys are the names that grant rights with you.",
    ],
  },
  options: {
    privilegeKeys: {
      what: "members that grant rights to a user",
      takes: listOf(text),
    },
    pages: {
      what: "what becomes of scripts in fields, addresses that send on, and addresses of programs",
      takes: oneOf("escalate", "pass"),
    },
  },
  tiers: { starter, strict: Object.freeze({ ...starter, pages: "escalate" }) },
  rules: ({ pages, privilegeKeys }) => [shapesRule(pages), massAssignmentRule(privilegeKeys)],
  // What came back is shown, not acted on.
  scan: (value, phase) => (phase === "call" ? findingsOf(value) : []),
});
