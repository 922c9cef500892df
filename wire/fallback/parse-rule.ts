import { isObject, own } from "../fields.ts";
import type { JsonObject, JsonValue } from "../value.ts";
import { maxArgumentSteps, maxFallbackListed } from "./limits.ts";
import { parseTest } from "./parse-test.ts";
import type { ArgumentCondition, FallbackRule } from "./policy.ts";
import { keysOf, listOf, refuse, textAt } from "./refuse-policy.ts";

const keys = ["actions", "effect", "id", "only_arguments", "phase", "principals", "where"];

export const parseRule = (json: JsonValue, at: string): FallbackRule => {
  if (!isObject(json)) return refuse(at, "must be an object");
  keysOf(json, keys, at);
  const effect = own(json, "effect");
  if (effect !== "allow" && effect !== "block") return refuse(`${at}.effect`, "must be allow or block");
  const only_arguments = optionalNames(own(json, "only_arguments"), `${at}.only_arguments`);
  if (only_arguments !== null && effect === "block") {
    return refuse(`${at}.only_arguments`, "is for an allow; a block is about what is there");
  }
  const where = conditions(own(json, "where"), `${at}.where`);
  const left = where.find(({ steps }) => only_arguments?.includes(steps[0] as string) === false);
  if (left !== undefined) return refuse(`${at}.only_arguments`, "leaves out an argument that `where` needs");
  return Object.freeze({
    id: ruleId(own(json, "id"), `${at}.id`),
    effect,
    actions: listOf(own(json, "actions"), `${at}.actions`, (name, place) => action(name, effect, place)),
    phase: phase(own(json, "phase"), `${at}.phase`),
    principals: principals(own(json, "principals"), `${at}.principals`),
    where,
    only_arguments,
  });
};

/** Ids stand in answers, logs and receipts. */
export const ruleId = (json: JsonValue | undefined, at: string): string =>
  typeof json === "string" && /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(json)
    ? json
    : refuse(at, "must be 1 to 64 of letters, digits, . _ and -, the first a letter or digit");

const phase = (json: JsonValue | undefined, at: string): FallbackRule["phase"] => {
  if (json === undefined) return "call";
  return json === "call" || json === "result" || json === "both" ? json : refuse(at, "must be call, result or both");
};

/** To allow whatever there is would be `unreachable: "allow"` under another name. */
const action = (json: JsonValue, effect: "allow" | "block", at: string): string => {
  const name = textAt(json, at);
  if (name === "*") return effect === "block" ? name : refuse(at, "is * and only a block may be about every action");
  return named(name, ".*", at);
};

const principals = (json: JsonValue | undefined, at: string): readonly string[] | null =>
  json === undefined ? null : listOf(json, at, (name, place) => named(textAt(name, place), "/*", place));

/** A star stands at the end, after a dot or a slash and something before that; or nowhere. */
const named = (name: string, suffix: ".*" | "/*", at: string): string => {
  const stem = name.endsWith(suffix) ? name.slice(0, -2) : name;
  return stem === "" || stem.includes("*") ? refuse(at, `may have a * only as ${suffix} at its end`) : name;
};

const optionalNames = (json: JsonValue | undefined, at: string): readonly string[] | null => {
  if (json === undefined) return null;
  // An empty list is a call without arguments.
  if (Array.isArray(json) && json.length === 0) return Object.freeze([]);
  return listOf(json, at, textAt);
};

const conditions = (json: JsonValue | undefined, at: string): readonly ArgumentCondition[] => {
  if (json === undefined) return Object.freeze([]);
  if (!isObject(json)) return refuse(at, "must be an object of arguments and what they have to be");
  const ways = Object.keys(json);
  if (ways.length === 0 || ways.length > maxFallbackListed) return refuse(at, `must name 1 to ${maxFallbackListed}`);
  return Object.freeze(ways.map((way, index) => condition(json, way, `${at}.${index}`)));
};

/** The place is the number of the condition: a way is not shown, as it may hold anything. */
const condition = (json: JsonObject, way: string, at: string): ArgumentCondition => {
  const steps = textAt(way, at).split(".");
  if (steps.includes("") || steps.length > maxArgumentSteps) {
    return refuse(at, `must be 1 to ${maxArgumentSteps} steps with a dot between, such as items.0.id`);
  }
  if (steps[0] === "*") return refuse(at, "begins with a *; arguments have names");
  return Object.freeze({ steps: Object.freeze(steps), test: parseTest(own(json, way), at) });
};
