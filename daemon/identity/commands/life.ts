import { ExitCode, Refusal } from "../../exit-codes.ts";
import { defaultTokenLife_s, maxTokenLife_s } from "../token.ts";

const unit_s: Readonly<Record<string, number>> = Object.freeze({ s: 1, m: 60, h: 3600 });

/** For how long, as it is typed: `90s`, `15m`, `8h`. Throws Refusal. */
export const lifeOf = (text: string | undefined): number => {
  if (text === undefined) return defaultTokenLife_s;
  const [, count, unit] = /^([1-9][0-9]{0,5})([smh])$/.exec(text) ?? [];
  const life_s = Number(count) * (unit_s[unit ?? ""] ?? Number.NaN);
  if (life_s <= maxTokenLife_s) return life_s;
  throw new Refusal(ExitCode.refused, `--ttl is a span such as 15m, at most ${maxTokenLife_s / 3600}h`);
};
