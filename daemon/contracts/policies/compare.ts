import type {
  PolicyApproval,
  PolicyCondition,
  PolicyDefinition,
  PolicyLimit,
  PolicyWho,
} from "../../../rules/contracts/policy-definition.ts";

/**
 * `loosens`: some call that was denied, asked about or counted no longer is. `unclear`: nobody can say without calls.
 * `neither`: a shadow's, which only records.
 */
export type Effect = "tightens" | "loosens" | "unclear" | "neither";

export interface PolicyChange {
  readonly id: string;
  readonly kind: "added" | "removed" | "changed";
  readonly effect: Effect;
  /** One line: what, from what, to what. */
  readonly what: string;
}

type Change = { readonly effect: Effect; readonly what: string };

/** What a candidate adds, takes away, and does otherwise, policy by policy. Order, reasons and examples do not count. */
export const comparePolicies = (
  before: readonly PolicyDefinition[],
  after: readonly PolicyDefinition[],
): readonly PolicyChange[] => {
  const old = new Map(before.map((policy) => [policy.id, policy]));
  const now = new Set(after.map(({ id }) => id));
  return [
    ...before.filter(({ id }) => !now.has(id)).map((policy) => whole(policy, "removed")),
    ...after.flatMap((policy): PolicyChange[] => {
      const was = old.get(policy.id);
      if (was === undefined) return [whole(policy, "added")];
      const isShadow = was.shadow === true && policy.shadow === true;
      return changesOf(was, policy).map(({ effect, what }) => ({
        id: policy.id,
        kind: "changed",
        effect: isShadow ? "neither" : effect,
        what,
      }));
    }),
  ];
};

const whole = ({ id, shadow, then, limit }: PolicyDefinition, kind: "added" | "removed"): PolicyChange => {
  const does = shadow === true ? `a shadow ${then}` : (then ?? (limit === undefined ? "" : "a limit"));
  const effect = shadow === true ? "neither" : kind === "added" ? "tightens" : "loosens";
  return { id, kind, effect, what: `${kind}: ${does}` };
};

const changesOf = (was: PolicyDefinition, now: PolicyDefinition): readonly Change[] => [
  // What a policy is about: more calls are tighter.
  ...set("tools", was.tools, now.tools, "tightens"),
  ...set("except", was.except ?? [], now.except ?? [], "loosens"),
  ...conditions(was.when ?? {}, now.when ?? {}, was.then === "deny" && now.then === "deny"),
  ...whose(was.who ?? {}, now.who ?? {}),
  ...amongEffects("effects", was.effects, now.effects, "tightens"),
  ...amongEffects("not_effects", was.not_effects, now.not_effects, "loosens"),
  ...longer(was.arguments_over_bytes, now.arguments_over_bytes),
  ...narrowing("during", was.during, now.during),
  ...narrowing("outside", was.outside, now.outside),
  ...answers(was, now),
  ...approvals(was.approval ?? {}, now.approval ?? {}),
  ...limits(was.limit, now.limit),
];

const other: Readonly<Record<Effect, Effect>> = {
  tightens: "loosens",
  loosens: "tightens",
  unclear: "unclear",
  neither: "neither",
};

const show = (value: unknown): string => (value === undefined ? "none" : JSON.stringify(value));
const moved = (name: string, was: unknown, now: unknown): string => `${name} ${show(was)} -> ${show(now)}`;
const same = (was: unknown, now: unknown): boolean => show(was) === show(now);

/** @param more the effect of more members. */
const set = (name: string, was: readonly unknown[], now: readonly unknown[], more: Effect): Change[] => {
  const [a, b] = [new Set(was.map(show)), new Set(now.map(show))];
  const [lost, gained] = [[...a].some((one) => !b.has(one)), [...b].some((one) => !a.has(one))];
  if (!lost && !gained) return [];
  return [{ effect: lost && gained ? "unclear" : gained ? more : other[more], what: moved(name, was, now) }];
};

/** A part that a policy asks for: with it, it is about fewer calls. */
const narrowing = (name: string, was: unknown, now: unknown): Change[] => {
  if (same(was, now)) return [];
  const effect = was === undefined ? "loosens" : now === undefined ? "tightens" : "unclear";
  return [{ effect, what: moved(name, was, now) }];
};

/** @param higher the effect of a higher number. */
const level = (name: string, was: number, now: number, higher: Effect): Change[] =>
  was === now ? [] : [{ effect: now > was ? higher : other[higher], what: moved(name, was, now) }];

type When = NonNullable<PolicyDefinition["when"]>;

/**
 * Less asked is more calls it is about. But a condition also denies what it cannot read, and where the policy would
 * only ask, or count, taking it away lets that through.
 */
const conditions = (was: When, now: When, isDenying: boolean): Change[] => {
  const asked = (name: string, a: unknown, b: unknown): Change[] =>
    narrowing(name, a, b).map(({ effect, what }) => ({
      effect: effect === "tightens" && !isDenying ? "unclear" : effect,
      what,
    }));
  return [...new Set([...Object.keys(was), ...Object.keys(now)])].flatMap((path) => {
    const [a, b] = [was[path], now[path]];
    if (a === undefined || b === undefined) return asked(`when ${path}`, a, b);
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])] as (keyof PolicyCondition)[];
    return keys.flatMap((key) => term(`when ${path} ${key}`, key, a[key], b[key], asked));
  });
};

/** What a higher number, or more members, mean for how many calls a condition holds of. */
const ofMore: Partial<Record<keyof PolicyCondition, Effect>> = {
  gt: "loosens",
  gte: "loosens",
  minLength: "loosens",
  lt: "tightens",
  lte: "tightens",
  maxLength: "tightens",
  in: "tightens",
  not_in: "loosens",
};
const strictness = { deny: 2, match: 1, no_match: 0 } as const;

const term = (
  name: string,
  key: keyof PolicyCondition,
  was: unknown,
  now: unknown,
  asked: (name: string, was: unknown, now: unknown) => Change[],
): Change[] => {
  if (key === "missing") {
    const [a, b] = [was ?? "deny", now ?? "deny"] as [keyof typeof strictness, keyof typeof strictness];
    return level(name, strictness[a], strictness[b], "tightens").map(({ effect }) => ({
      effect,
      what: moved(name, a, b),
    }));
  }
  if (key === "normalize" && !same(was, now)) return [{ effect: "unclear", what: moved(name, was, now) }];
  const more = ofMore[key];
  if (more !== undefined && typeof was === "number" && typeof now === "number") return level(name, was, now, more);
  if (more !== undefined && Array.isArray(was) && Array.isArray(now)) {
    // Of another type than it lists, a value cannot be read: a new type in the list makes more of them readable.
    if (same(typesIn(was), typesIn(now))) return set(name, was, now, more);
    return [{ effect: "unclear", what: moved(name, was, now) }];
  }
  return asked(name, was, now);
};

const typesIn = (list: readonly unknown[]): readonly string[] =>
  [...new Set(list.map((item) => (item === null ? "null" : typeof item)))].sort();

const whose = (was: PolicyWho, now: PolicyWho): Change[] => {
  const part = (key: keyof PolicyWho, more: Effect): Change[] => {
    const [a, b] = [was[key], now[key]];
    return a === undefined || b === undefined ? narrowing(`who ${key}`, a, b) : set(`who ${key}`, a, b, more);
  };
  return [
    ...part("principals", "tightens"),
    ...part("not_principals", "loosens"),
    ...part("roles", "tightens"),
    ...part("not_roles", "loosens"),
  ];
};

/** @param more the effect of more members. */
const amongEffects = (name: string, was: Effects, now: Effects, more: Effect): Change[] =>
  was === undefined || now === undefined ? narrowing(name, was, now) : set(name, was, now, more);
type Effects = PolicyDefinition["effects"];

const longer = (was: number | undefined, now: number | undefined): Change[] =>
  was === undefined || now === undefined
    ? narrowing("arguments_over_bytes", was, now)
    : level("arguments_over_bytes", was, now, "loosens");

const answers = (was: PolicyDefinition, now: PolicyDefinition): Change[] => {
  const changes: Change[] = [];
  if (was.shadow !== now.shadow)
    changes.push({
      effect: now.shadow === true ? "loosens" : "tightens",
      what: moved("shadow", was.shadow, now.shadow),
    });
  const [a, b] = [was.then ?? "limit", now.then ?? "limit"];
  if (a !== b)
    changes.push({
      effect: b === "deny" ? "tightens" : a === "deny" ? "loosens" : "unclear",
      what: moved("then", a, b),
    });
  return changes;
};

const approvals = (was: PolicyApproval, now: PolicyApproval): Change[] => {
  const changes: Change[] = [
    ...level("approval count", was.count ?? 1, now.count ?? 1, "tightens"),
    ...level("approval expires_s", was.expires_s ?? 3600, now.expires_s ?? 3600, "loosens"),
    ...set("approval scopes", was.scopes ?? ["once"], now.scopes ?? ["once"], "loosens"),
  ];
  const [a, b] = [was.by ?? "operator", now.by ?? "operator"];
  if (a !== b) changes.push({ effect: b === "operator" ? "tightens" : "loosens", what: moved("approval by", a, b) });
  // Without roles, any operator will do.
  if (was.roles === undefined || now.roles === undefined) {
    if (!same(was.roles, now.roles))
      changes.push({
        effect: now.roles === undefined ? "loosens" : "tightens",
        what: moved("approval roles", was.roles, now.roles),
      });
  } else changes.push(...set("approval roles", was.roles, now.roles, "loosens"));
  return changes;
};

const countedBy = ({ sum, distinct, repeats, volume }: PolicyLimit): string => {
  if (distinct !== undefined) return `distinct ${distinct}`;
  if (volume !== undefined) return `volume ${volume}`;
  return sum ?? repeats ?? "calls";
};
const boundOf = ({ volume }: PolicyLimit): "max" | "max_bytes" => (volume === undefined ? "max" : "max_bytes");
const mostOf = (limit: PolicyLimit): number => limit[boundOf(limit)] as number;

const limits = (was: PolicyLimit | undefined, now: PolicyLimit | undefined): Change[] => {
  if (was === undefined || now === undefined) return [];
  const [a, b] = [countedBy(was), countedBy(now)];
  return [
    ...(a === b ? level(`limit ${boundOf(was)}`, mostOf(was), mostOf(now), "loosens") : []),
    ...level("limit window_s", was.window_s, now.window_s, "tightens"),
    // Counted apart, each may reach the limit alone.
    ...set("limit per", was.per ?? [], now.per ?? [], "loosens"),
    ...(was.normalize === now.normalize
      ? []
      : [{ effect: "unclear", what: moved("limit normalize", was.normalize, now.normalize) } as const]),
    ...(a === b ? [] : [{ effect: "unclear", what: moved("limit of", a, b) } as const]),
  ];
};
