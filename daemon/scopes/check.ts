import { templateProblems } from "./check-template.ts";
import { delegationDepth, overGrant } from "./delegation.ts";
import {
  type Binding,
  maxBindings,
  maxDelegations,
  maxParameters,
  maxScopes,
  maxTemplates,
  type Parameter,
  type ParameterValue,
  type ScopeDocument,
  type Template,
} from "./document.ts";
import { Instances } from "./instances.ts";
import type { ScopeProblem } from "./refusal.ts";
import { type Resolution, resolveScope } from "./resolve.ts";
import type { ScopeSource } from "./schema.ts";
import { scopePathProblem, shownPath } from "./scope-path.ts";

/** A document in which nothing is wrong, with what holds in each of its scopes. */
export interface CheckedScopes {
  readonly document: ScopeDocument;
  readonly resolutions: ReadonlyMap<string, Resolution>;
  readonly instances: Instances;
}

/**
 * Everything that is wrong with a document, before it is signed and again before it is served: nothing of this is left to
 * the moment of a call. What later steps would only repeat is not looked for once an earlier one found something.
 */
export const checkScopes = (
  source: ScopeSource,
):
  | { readonly ok: true; readonly checked: CheckedScopes }
  | { readonly ok: false; readonly problems: readonly ScopeProblem[] } => {
  const document = documentOf(source);
  for (const step of [sizeProblems, partProblems, delegatorProblems]) {
    const problems = step(document);
    if (problems.length > 0) return { ok: false, problems };
  }
  const resolutions = new Map([...document.scopes.keys()].map((path) => [path, resolveScope(document, path)]));
  const instances = new Instances(document);
  const checked = Object.freeze({ document, resolutions, instances });
  const problems = [...document.scopes.keys()].flatMap((path) => grantProblems(path, checked));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, checked };
};

const documentOf = ({ id, version, not_after, templates, scopes }: ScopeSource): ScopeDocument =>
  Object.freeze({
    id,
    version,
    not_after: not_after ?? null,
    templates: new Map(
      Object.entries(templates).map(([name, { params = {}, policy }]) => [
        name,
        Object.freeze({
          parameters: new Map(
            Object.entries(params).map(([param, { type, merge = "override", widens = null }]): [string, Parameter] => [
              param,
              Object.freeze({ type, merge, widens }),
            ]),
          ),
          policy,
        }) as Template,
      ]),
    ),
    scopes: new Map(
      Object.entries(scopes).map(([path, bindings]) => [
        path,
        Object.freeze(
          bindings.map(({ template, params = {}, enabled = true, delegated_from = null }) =>
            Object.freeze({ template, params: new Map(Object.entries(params)), enabled, delegated_from }),
          ),
        ),
      ]),
    ),
  });

const sizeProblems = ({ templates, scopes }: ScopeDocument): readonly ScopeProblem[] => {
  const problems: ScopeProblem[] = [];
  const atMost = (most: number, count: number, what: string, path: ScopeProblem["path"]): void => {
    if (count > most) problems.push({ code: "too_large", path, what: `holds more than ${most} ${what}` });
  };
  atMost(maxTemplates, templates.size, "templates", ["templates"]);
  atMost(maxScopes, scopes.size, "scopes", ["scopes"]);
  for (const [name, { parameters }] of templates)
    atMost(maxParameters, parameters.size, "parameters", ["templates", name, "params"]);
  for (const [path, bindings] of scopes) atMost(maxBindings, bindings.length, "bindings", ["scopes", path]);
  return problems;
};

/** Each template and each binding for itself. */
const partProblems = (document: ScopeDocument): readonly ScopeProblem[] => [
  ...[...document.templates].flatMap(([name, template]) => templateProblems(name, template, ["templates", name])),
  ...pathProblems(document),
  ...[...document.scopes].flatMap(([path, bindings]) =>
    bindings.flatMap((binding, index) =>
      bindingProblems(binding, bindings.slice(0, index), document, ["scopes", path, index]),
    ),
  ),
];

const pathProblems = ({ scopes }: ScopeDocument): readonly ScopeProblem[] => {
  const seen = new Map<string, string>();
  return [...scopes.keys()].flatMap((path): readonly ScopeProblem[] => {
    const problem = scopePathProblem(path);
    if (problem !== null) return [{ ...problem, path: ["scopes", path] }];
    const shown = shownPath(path);
    const before = seen.get(shown);
    seen.set(shown, path);
    if (before === undefined) return [];
    return [{ code: "scope_duplicate", path: ["scopes", path], what: `looks like ${before}, which is written above` }];
  });
};

const bindingProblems = (
  { template: name, params }: Binding,
  before: readonly Binding[],
  { templates }: ScopeDocument,
  at: ScopeProblem["path"],
): readonly ScopeProblem[] => {
  const template = templates.get(name);
  if (template === undefined)
    return [{ code: "template_unknown", path: [...at, "template"], what: "the document has no template of this name" }];
  const problems: ScopeProblem[] = before.some((other) => other.template === name)
    ? [{ code: "binding_duplicate", path: [...at, "template"], what: "is bound above in the same scope" }]
    : [];
  for (const [param, value] of params) {
    const path = [...at, "params", param];
    const type = template.parameters.get(param)?.type;
    if (type === undefined)
      problems.push({ code: "parameter_unknown", path, what: `${name} has no such parameter${havingOf(template)}` });
    else if (typeOf(value) !== type)
      problems.push({
        code: "parameter_refused",
        path,
        what: `is of type ${typeOf(value)}; ${name} has it as ${type}`,
      });
  }
  return problems;
};

const havingOf = ({ parameters }: Template): string =>
  parameters.size === 0 ? "" : `; it has ${[...parameters.keys()].join(", ").slice(0, 200)}`;

const typeOf = (value: ParameterValue): Parameter["type"] => {
  if (typeof value !== "object") return typeof value as "string" | "number";
  return typeof value[0] === "number" ? "numbers" : "strings";
};

/** From whom grants come: somebody that there is, and not in a circle. */
const delegatorProblems = (document: ScopeDocument): readonly ScopeProblem[] =>
  [...document.scopes].flatMap(([scope, bindings]) =>
    bindings.flatMap(({ template, delegated_from }, index): readonly ScopeProblem[] => {
      if (delegated_from === null) return [];
      const path = ["scopes", scope, index, "delegated_from"];
      if (!document.scopes.has(delegated_from))
        return [{ code: "delegator_unknown", path, what: "the document has no scope of this path" }];
      const depth = delegationDepth(document, scope, template);
      if (depth === "cycle") return [{ code: "delegation_cycle", path, what: "what it grants comes from itself" }];
      if (depth <= maxDelegations) return [];
      return [{ code: "delegation_too_deep", path, what: `it comes through more than ${maxDelegations} delegations` }];
    }),
  );

/** What holds in one scope. What a scope only inherits was said where it is bound. */
const grantProblems = (scope: string, { document, resolutions, instances }: CheckedScopes): readonly ScopeProblem[] => {
  const resolution = resolutions.get(scope) as Resolution;
  const bindings = document.scopes.get(scope) as readonly Binding[];
  return bindings.flatMap((binding, index): readonly ScopeProblem[] => {
    const at = ["scopes", scope, index];
    const { template: name, params } = binding;
    const problems: ScopeProblem[] = [];
    /** Where the value is bound, if it is here. */
    const add = (code: ScopeProblem["code"], param: string | null, what: string): void => {
      if (param !== null && params.has(param)) problems.push({ code, path: [...at, "params", param], what });
      else problems.push({ code, path: at, what: param === null ? what : `${param}: ${what}` });
    };
    if (binding.enabled) {
      const holding = resolution.holdings.find(({ template }) => template === name);
      if (holding === undefined) return [];
      const open = [...(document.templates.get(name)?.parameters.keys() ?? [])].filter(
        (param) => !holding.params.has(param),
      );
      if (open.length > 0)
        return [
          { code: "parameter_missing", path: at, what: `${name} needs ${open.join(", ")}, here or in a scope above` },
        ];
      const instance = instances.of(holding);
      if (!instance.ok) add("parameter_refused", instance.param, instance.what);
    } else if (!isBoundAbove(document, scope, name))
      problems.push({
        code: "tombstone_idle",
        path: at,
        what: `no scope above binds ${name}; there is nothing to remove`,
      });
    for (const path of resolution.delegators.get(name) ?? []) {
      const delegator = { path, resolution: resolutions.get(path) as Resolution };
      const more = overGrant(document, name, resolution, delegator);
      if (more !== null) add("delegation_over_grant", more.param, more.what);
    }
    return problems;
  });
};

const isBoundAbove = (document: ScopeDocument, scope: string, template: string): boolean => {
  const end = scope.lastIndexOf("/");
  return (
    end !== -1 && resolveScope(document, scope.slice(0, end)).holdings.some((holding) => holding.template === template)
  );
};
