import type { Day, PolicyHours } from "../../../rules/contracts/policy-definition.ts";
import type { PolicyCall } from "../policy.ts";
import { match, noMatch, type PolicyPart } from "./truth.ts";

const days: readonly Day[] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const minute_ms = 60_000;
const minutesADay = 24 * 60;

/** `during` holds within the hours, `outside` without. The clock is the daemon's, read in the policy's zone. */
export const hoursPart = (name: "during" | "outside", hours: PolicyHours): PolicyPart => {
  const within = withinHours(hours);
  return Object.freeze({
    name,
    test: ({ now_ms }: PolicyCall) => (within(now_ms) === (name === "during") ? match : noMatch),
  });
};

const withinHours = ({ days: named = days, from = "00:00", to = "24:00", zone }: PolicyHours) => {
  const start = minutesOf(from);
  const end = minutesOf(to);
  const clock = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  const isNamed = (day: number): boolean => named.includes(days[(day + 7) % 7] as Day);
  const isWithin = (now_ms: number): boolean => {
    const parts = clock.formatToParts(now_ms);
    const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? "";
    const day = days.indexOf(part("weekday").toLowerCase() as Day);
    const minute = Number(part("hour")) * 60 + Number(part("minute"));
    if (start < end) return isNamed(day) && minute >= start && minute < end;
    // Over midnight: the hours belong to the day on which they begin.
    return (isNamed(day) && minute >= start) || (isNamed(day - 1) && minute < end);
  };
  let known = { minute: Number.NaN, within: false };
  return (now_ms: number): boolean => {
    const minute = Math.floor(now_ms / minute_ms);
    if (minute !== known.minute) known = { minute, within: isWithin(now_ms) };
    return known.within;
  };
};

const minutesOf = (text: string): number => {
  const [hour, minute] = text.split(":").map(Number) as [number, number];
  return Math.min(hour * 60 + minute, minutesADay);
};
