import type { PolicyDefinition } from "../../rules/contracts/policy-definition.ts";
import { canonicalJson } from "../../wire/canonical.ts";
import type { JsonValue } from "../../wire/value.ts";
import { firstIssue } from "../contracts/policies/issue.ts";
import { policySchema } from "../contracts/policies/schema.ts";
import { policyOf } from "./check-template.ts";
import type { ScopeDocument, Template } from "./document.ts";
import type { Holding } from "./resolve.ts";
import { placesIn } from "./template-places.ts";

/** A template with its values: a policy, or which parameter's value makes it none. */
export type Instance =
  | { readonly ok: true; readonly definition: PolicyDefinition }
  | { readonly ok: false; readonly param: string | null; readonly what: string };

/** Policies of a document's templates. Scopes that hold the same values share one. */
export class Instances {
  readonly #templates: ScopeDocument["templates"];
  readonly #made = new Map<string, Instance>();

  constructor({ templates }: ScopeDocument) {
    this.#templates = templates;
  }

  /** Every parameter of the template has a value. */
  of({ template: name, params }: Holding): Instance {
    const values = Object.fromEntries([...params].map(([param, { value }]) => [param, value as JsonValue]));
    const key = canonicalJson([name, values]);
    const made = this.#made.get(key) ?? instance(name, this.#templates.get(name) as Template, values);
    this.#made.set(key, made);
    return made;
  }
}

const instance = (name: string, template: Template, values: Readonly<Record<string, JsonValue>>): Instance => {
  const read = policySchema.safeParse(policyOf(name, template, (param) => values[param] as JsonValue));
  // No rule set's policy has a colon in its id.
  if (read.success) return { ok: true, definition: { ...(read.data as PolicyDefinition), id: `scope:${name}` } };
  const { path, what } = firstIssue(read.error.issues, policySchema);
  const place = placesIn(template.policy).find((one) => one.path.every((step, at) => step === path[at]));
  return { ok: false, param: place?.param ?? null, what };
};
