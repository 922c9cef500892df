import { InvalidArgumentError } from "commander";

/** Reads what an option says in seconds, both bounds included. */
export const seconds =
  (least: number, most: number) =>
  (text: string): number => {
    const value = text.trim() === "" ? Number.NaN : Number(text);
    if (!(value >= least && value <= most)) throw new InvalidArgumentError(`seconds, from ${least} to ${most}`);
    return value;
  };

/** A millisecond to a day. */
export const anySeconds = seconds(0.001, 86_400);
