import type { PolicyDefinition } from "../../contracts/policy-definition.ts";
import { amount, count, listOf, orNull, shape, text } from "../option-kind.ts";
import { definePack } from "../pack.ts";

/** So many within the last `window_s` seconds. */
export interface Most {
  readonly max: number;
  readonly window_s: number;
}

export interface SpendLimit {
  /** Exact, or `prefix.*`. */
  readonly tool: string;
  /** Path of the amount: `amount`, `lines[].amount`. */
  readonly sum: string;
  readonly max: number;
  readonly window_s: number;
}

export interface SignInLimit extends Most {
  /** What reports a sign-in. */
  readonly tool: string;
  /** Path of its outcome: what is absent, false, 0, null or empty is a failed one. */
  readonly ok: string;
}

export interface LimitsOptions {
  readonly callsPerMinute?: number | null;
  readonly sameCall?: Most | null;
  readonly distinctDestinations?: Most | null;
  readonly bytesOut?: { readonly max_bytes: number; readonly window_s: number } | null;
  readonly spend?: readonly SpendLimit[];
  readonly failedSignIns?: SignInLimit | null;
  readonly except?: readonly string[];
}

type Options = Required<LimitsOptions>;
type Limited = Pick<PolicyDefinition, "id" | "limit" | "reason" | "examples">;

const minute_s = 60;
const hour_s = 3_600;

/** Each counts what the daemon counts: on the store that its daemons share, kept over a restart, given back where a call failed. */
const policies = (options: Options): readonly PolicyDefinition[] => {
  const { callsPerMinute, sameCall, distinctDestinations, bytesOut, except } = options;
  const limited: (Limited | null)[] = [
    callsPerMinute === null
      ? null
      : {
          id: "limits.calls",
          limit: { count: "calls", max: callsPerMinute, per: ["principal"], window_s: minute_s },
          reason: `more than ${callsPerMinute} calls in a minute`,
          examples: [example({ text: "hello" })],
        },
    sameCall === null
      ? null
      : {
          id: "limits.same-call",
          limit: { repeats: "same_call", ...sameCall },
          reason: `the same call with the same arguments more than ${sameCall.max} times in ${sameCall.window_s} s: it may be a loop`,
          examples: [example({ path: "a.txt" })],
        },
    distinctDestinations === null
      ? null
      : {
          id: "limits.destinations",
          limit: { distinct: "destination", ...distinctDestinations, per: ["principal"], normalize: "casefold_trim" },
          reason: `more than ${distinctDestinations.max} different hosts and recipients in ${distinctDestinations.window_s} s`,
          examples: [example({ url: "https://api.example.com/v1" }), example({ path: "a.txt" })],
        },
    bytesOut === null
      ? null
      : {
          id: "limits.bytes-out",
          limit: { volume: "arguments", ...bytesOut, per: ["principal"] },
          reason: `more than ${bytesOut.max_bytes} bytes of arguments in ${bytesOut.window_s} s`,
          examples: [example({ text: "hello" })],
        },
  ];
  const general = limited
    .filter((one) => one !== null)
    .map((one) => ({ ...one, tools: ["*"], ...(except.length === 0 ? {} : { except }) }));
  return Object.freeze([...general, ...spending(options), ...signIns(options)]);
};

const example = (args: Readonly<Record<string, string>>) => ({ action: "any.tool", args, expect: "allow" }) as const;

const spending = ({ spend }: Options): readonly PolicyDefinition[] =>
  spend.map(({ tool, sum, max, window_s }, at) => ({
    id: `limits.spend.${at + 1}`,
    tools: [tool],
    limit: { sum, max, per: ["principal"], window_s },
    reason: `more than ${max} of ${sum} in ${window_s} s`,
  }));

/** Failed ones alone are counted, so whoever signs in is not held for having failed before. */
const signIns = ({ failedSignIns }: Options): readonly PolicyDefinition[] => {
  if (failedSignIns === null) return [];
  const { tool, ok, max, window_s } = failedSignIns;
  return [
    {
      id: "limits.failed-sign-ins",
      tools: [tool],
      when: { [ok]: { in: [false, 0, "", null], missing: "match" } },
      limit: { count: "calls", max, per: ["principal"], window_s },
      reason: `more than ${max} failed sign-ins in ${window_s} s`,
      examples: [{ action: tool.replace("*", "tool"), args: {}, expect: "allow" }],
    },
  ];
};

/** What an agent does too often, too widely or too much, over a window. */
export const limits = definePack<LimitsOptions>({
  id: "limits",
  notes: {
    title: "Rate, loops, spending, fan-out and volume, per principal and window",
    stops: [
      "An agent in a loop: one tool with equal arguments, again and again, reads too.",
      "A flood: more calls in a minute than an agent at work makes.",
      "A budget that is spent in small parts: amounts are summed over the window (spend).",
      "Mail to everybody, or one host after the other: different destinations are counted, wherever in the arguments they stand (distinctDestinations).",
      "Much data in small parts: bytes of arguments are summed (bytesOut).",
      "Passwords tried one after the other: failed sign-ins are counted (failedSignIns).",
    ],
    cannot: [
      "A loop whose arguments change with each turn is a rate, not a repeat.",
      "A link in prose or in a file's text is no destination; a host that a program reaches by itself is not seen.",
      "Bytes of results do not count; the number of bytes that leave is a little more than what is counted (punctuation).",
      "Names that a client claims have a budget each: bind clients (docs/identity.md) so that nobody has two.",
      "A call that is answered with the first one's result, by its contract, ran once and counts once.",
    ],
    tune: [
      "Say null for a limit to be without it; a limit of your own is a policy (docs/policies.md).",
      "Leave out with except what polls: [ci.status].",
      "The tier starter counts nothing until an option says so: a call that is counted is reserved in the store and told of when it ends, some 0.1 to 0.3 ms of the daemon's time, where a call without a limit takes 0.05.",
      "To have an agent's loops and floods stopped: limits: { sameCall: { max: 30, window_s: 60 }, callsPerMinute: 600 }. Ten calls a second, and a poll every two seconds, are more than an agent at work makes.",
    ],
  },
  options: {
    callsPerMinute: {
      what: "Calls of any tool by one principal in a minute; null: not counted.",
      takes: orNull(count),
    },
    sameCall: {
      what: "Calls of one tool with equal arguments by one principal; null: not counted.",
      takes: orNull(shape({ max: count, window_s: count })),
    },
    distinctDestinations: {
      what: "Different hosts and recipients of one principal, 1000 at most; null: not counted.",
      takes: orNull(shape({ max: count, window_s: count })),
    },
    bytesOut: {
      what: "Bytes of all arguments of one principal; null: not counted.",
      takes: orNull(shape({ max_bytes: count, window_s: count })),
    },
    spend: {
      what: "Amounts that are summed over a window: sum is the path of the amount in the arguments.",
      takes: listOf(shape({ tool: text, sum: text, max: amount, window_s: count })),
    },
    failedSignIns: {
      what: "Failed sign-ins of one principal, as a tool reports them: ok is the path of the outcome; null: not counted.",
      takes: orNull(shape({ tool: text, ok: text, max: count, window_s: count })),
    },
    except: {
      what: "Tools that callsPerMinute, sameCall, distinctDestinations and bytesOut do not count: exact names, prefix.*.",
      takes: listOf(text),
    },
  },
  tiers: {
    // What is counted costs more than all other packs of the tier together may, and the first policy loads the schema library at a start.
    starter: {
      callsPerMinute: null,
      sameCall: null,
      distinctDestinations: null,
      bytesOut: null,
      spend: [],
      failedSignIns: null,
      except: [],
    },
    strict: {
      callsPerMinute: 120,
      sameCall: { max: 10, window_s: minute_s },
      distinctDestinations: { max: 20, window_s: hour_s },
      bytesOut: { max_bytes: 20_000_000, window_s: hour_s },
      spend: [],
      failedSignIns: { tool: "auth", ok: "ok", max: 5, window_s: hour_s },
      except: [],
    },
  },
  rules: () => [],
  policies,
});
