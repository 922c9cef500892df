import { dayOrTime_ms } from "../../daemon/config/day-or-time.ts";
import { ExitCode, Refusal } from "../../daemon/exit-codes.ts";

/** Milliseconds since the epoch of a flag's day or time; null where the flag was not given. Throws Refusal. */
export const dateOf = (flag: string, text: string | undefined): number | null => {
  if (text === undefined) return null;
  const at_ms = dayOrTime_ms(text);
  if (at_ms !== null) return at_ms;
  const forms = "a day such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z";
  throw new Refusal(ExitCode.refused, `${flag} ${text} is not ${forms}`);
};
