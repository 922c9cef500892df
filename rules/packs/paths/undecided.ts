import type { WireValue } from "../../../wire/value.ts";
import type { RuleExample } from "../../types.ts";
import type { Settings } from "./settings.ts";

type Example = Omit<RuleExample, "given">;

/** The examples that hold whatever the options are: those that name a place of `allow` or `protect` are left out. */
export const undecided = (examples: readonly Example[], { decidesItself }: Settings): readonly Example[] =>
  examples.filter(({ event }) => !textsIn(event.args).some(decidesItself));

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null
    ? Object.values(value as Record<string, WireValue>).flatMap(textsIn)
    : [];
};
