import type { JsonValue } from "../../wire/value.ts";
import { firstIssue } from "../contracts/policies/issue.ts";
import { policySchema } from "../contracts/policies/schema.ts";
import type { Parameter, ParameterType, Template, Widening } from "./document.ts";
import type { ScopeProblem } from "./refusal.ts";
import { filledIn, type Place, placeKind, placesIn } from "./template-places.ts";

/** What is wrong with a template, whatever values it is bound with. @param at where it stands in the document. */
export const templateProblems = (
  name: string,
  template: Template,
  at: readonly (string | number)[],
): readonly ScopeProblem[] => {
  const { parameters, policy } = template;
  const places = placesIn(policy);
  const problems = [
    ...places.flatMap((place) => placeProblem(place, parameters, at)),
    ...[...parameters].flatMap(([param, parameter]) => parameterProblem(param, parameter, places, at)),
  ];
  for (const key of ["id", "examples"])
    if (Object.hasOwn(policy, key))
      problems.push({
        code: "template_refused",
        path: [...at, "policy", key],
        what:
          key === "id"
            ? "a template's policy is called by the template's name; leave it out"
            : "has none; leave it out",
      });
  if (problems.length > 0) return problems;
  const read = policySchema.safeParse(policyOf(name, template, (param) => sample(parameters.get(param)?.type)));
  if (read.success) return [];
  const { path, what } = firstIssue(read.error.issues, policySchema);
  return [{ code: "template_refused", path: [...at, "policy", ...path], what }];
};

/** What the schema of policies reads. */
export const policyOf = (name: string, { policy }: Template, valueFor: (param: string) => JsonValue): JsonValue => ({
  ...(filledIn(policy, valueFor) as { readonly [key: string]: JsonValue }),
  id: name,
});

/** Which other value grants more, as the policy reads it; null where any other may. */
export const wideningOf = (param: string, { parameters, policy }: Template): Exclude<Widening, "never"> | null => {
  if (parameters.get(param)?.widens === "never") return null;
  const [first, ...others] = new Set(
    placesIn(policy)
      .filter((place) => place.param === param)
      .map(({ path }) => placeKind(path)?.widens ?? null),
  );
  return first === undefined || others.length > 0 ? null : first;
};

const placeProblem = (
  { param, path }: Place,
  parameters: Template["parameters"],
  at: readonly (string | number)[],
): readonly ScopeProblem[] => {
  const problem = (code: ScopeProblem["code"], what: string): readonly ScopeProblem[] => [
    { code, path: [...at, "policy", ...path], what },
  ];
  const parameter = parameters.get(param);
  if (parameter === undefined) return problem("parameter_unknown", `the template has no parameter ${param}`);
  const kind = placeKind(path);
  if (kind === null) return problem("parameter_misplaced", "no parameter can stand here; write the value");
  return kind.types.includes(parameter.type)
    ? []
    : problem("parameter_misplaced", `${param} is of type ${parameter.type}; this reads ${kind.types.join(" or ")}`);
};

const parameterProblem = (
  param: string,
  { widens }: Parameter,
  places: readonly Place[],
  at: readonly (string | number)[],
): readonly ScopeProblem[] => {
  const problem = (code: ScopeProblem["code"], what: string): readonly ScopeProblem[] => [
    { code, path: [...at, "params", param], what },
  ];
  const here = places.filter((place) => place.param === param);
  if (here.length === 0) return problem("parameter_unused", "no place in the policy reads it; take it away");
  if (widens === null || widens === "never") return [];
  const strange = here.find(({ path }) => (placeKind(path)?.widens ?? null) !== widens);
  if (strange === undefined) return [];
  const does = placeKind(strange.path)?.widens ?? "any other";
  return problem("widens_wrong", `at ${strange.path.join(".")} what grants more is ${said[does]}, not ${said[widens]}`);
};

const said = Object.freeze({
  larger: "a larger one",
  smaller: "a smaller one",
  superset: "a longer list",
  subset: "a shorter list",
  "any other": "any other value",
});

/** A value of the type that is good at every place at which the type is. */
const sample = (type: ParameterType | undefined): JsonValue => {
  if (type === "number") return 1;
  if (type === "numbers") return [1];
  return type === "strings" ? ["x"] : "x";
};
