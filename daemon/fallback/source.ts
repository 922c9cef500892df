import { canonical } from "../../wire/canonical.ts";
import { WireError } from "../../wire/errors.ts";
import { parseFallbackPolicy } from "../../wire/fallback/parse-policy.ts";
import type { FallbackPolicy } from "../../wire/fallback/policy.ts";
import { FallbackPolicyRefused } from "../../wire/fallback/refuse-policy.ts";
import { maxDocumentBytes } from "../../wire/signed-document.ts";
import { dayOrTime_ms } from "../config/day-or-time.ts";
import { readYaml, type YamlText } from "../config/yaml-text.ts";
import { PolicyRefused } from "./refusal.ts";
import { type PolicySource, sourceSchema } from "./schema.ts";

/** A policy that somebody wrote, judged as clients will: what it becomes once somebody signs it. */
export interface ReadPolicy {
  readonly source: PolicySource;
  /** The payload, as created at this time. */
  payload(created_ms: number): string;
  /** The same parsed. */
  readonly policy: FallbackPolicy;
}

/** @param shown the file as messages show it. @throws PolicyRefused, with the line of the first thing that is wrong */
export const readPolicy = (text: string, shown: string, now_ms: number): ReadPolicy => {
  if (Buffer.byteLength(text) > maxDocumentBytes) {
    throw new PolicyRefused("policy_unreadable", `${shown}: larger than ${maxDocumentBytes} bytes`);
  }
  const yaml = readYaml(text);
  if (!yaml.ok) throw malformed(yaml.place === null ? shown : `${shown}:${yaml.place.line}`, yaml.what);
  const source = shaped(yaml, shown);
  const payload = (created_ms: number): string =>
    payloadOf(source, created_ms, (key, what) => malformed(`${shown}:${yaml.place([key]).line}`, `${key}: ${what}`));
  try {
    const policy = parseFallbackPolicy(payload(now_ms));
    return Object.freeze({ source, payload, policy });
  } catch (error) {
    if (error instanceof FallbackPolicyRefused) {
      if (error.at === "not_after" && (dayOrTime_ms(source.not_after) ?? now_ms) <= now_ms) throw expired(shown);
      const path = pathOf(error.at, JSON.parse(payload(now_ms)));
      throw malformed(`${shown}:${yaml.place(path).line}`, `${path.join(".")}: ${error.what}`);
    }
    // A number that JSON has not, or not exactly.
    if (error instanceof WireError) throw malformed(shown, error.message);
    throw error;
  }
};

const shaped = (yaml: YamlText & { readonly ok: true }, shown: string): PolicySource => {
  if (!yaml.isMapping) throw malformed(`${shown}:1`, "must be a mapping of id, version, not_after and rules");
  const parsed = sourceSchema.safeParse(yaml.value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const key = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const path = [...(issue?.path ?? []), ...(key === undefined ? [] : [key])];
  const what = key === undefined ? (issue?.message ?? "refused") : "unknown key";
  throw malformed(`${shown}:${yaml.place(path).line}`, `${path.join(".")}: ${what}`);
};

const payloadOf = (
  { id, version, not_before = null, not_after, rules }: PolicySource,
  created_ms: number,
  refusal: (key: string, what: string) => PolicyRefused,
): string => {
  const timeAt = (key: string, text: string): string => {
    const at_ms = dayOrTime_ms(text);
    if (at_ms === null) throw refusal(key, "must be a day such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z");
    return new Date(at_ms).toISOString();
  };
  return canonical({
    v: 1,
    id,
    version,
    created: new Date(created_ms).toISOString(),
    not_before: not_before === null ? null : timeAt("not_before", not_before),
    not_after: timeAt("not_after", not_after),
    rules,
  });
};

/** Of a payload: a condition's number is the name that it has in the file. */
const pathOf = (at: string, { rules }: Pick<PolicySource, "rules">): readonly PropertyKey[] => {
  const steps: PropertyKey[] = at === "" ? [] : at.split(".");
  if (steps[1] !== undefined) steps[1] = Number(steps[1]);
  if (steps[2] === "where" && steps[3] !== undefined) {
    const where = rules[steps[1] as number]?.where;
    if (typeof where === "object" && where !== null) steps[3] = Object.keys(where)[Number(steps[3])] ?? steps[3];
  }
  return steps.map((step) => (typeof step === "string" && /^[0-9]{1,9}$/.test(step) ? Number(step) : step));
};

const malformed = (place: string, what: string): PolicyRefused =>
  new PolicyRefused("policy_malformed", `${place}: ${what}`);

const expired = (shown: string): PolicyRefused =>
  new PolicyRefused("policy_expired", `${shown}: its not_after has passed; set a later one and raise the version`);
