import { z } from "zod";
import { admit } from "../../../wire/admission.ts";
import { WireError } from "../../../wire/errors.ts";
import type { WireValue } from "../../../wire/value.ts";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import { effectWords } from "./vocabulary.ts";

/** What a tool's metadata says of the data it handles: the vocabulary of drift scanners. */
export const dataClasses = Object.freeze([
  "pii",
  "phi",
  "financial",
  "legal",
  "secrets",
  "user_content",
  "internal",
] as const);
export type DataClass = (typeof dataClasses)[number];

export const externalities = Object.freeze(["internal", "external", "unknown"] as const);
export type Externality = (typeof externalities)[number];

/** One call that somebody plans. What it says of itself can only raise what is known of it otherwise. */
export interface PlannedStep {
  readonly server_id: string | null;
  readonly tool_name: string;
  readonly arguments: WireValue;
  readonly effects: readonly string[];
  readonly data_classes: readonly DataClass[];
  readonly externality: Externality;
}

export interface Plan {
  readonly chain_id: string;
  readonly steps: readonly PlannedStep[];
}

const maxSteps = 1_000;
const name = z.string().min(1).max(256);

const step = z.strictObject({
  server_id: name.nullable().default(null),
  tool_name: name,
  arguments: z.record(z.string(), z.unknown()).default({}),
  effects: z
    .array(z.enum([...effectWords.keys()] as [string, ...string[]]))
    .max(32)
    .default([]),
  data_classes: z.array(z.enum(dataClasses)).max(dataClasses.length).default([]),
  externality: z.enum(externalities).default("unknown"),
  side_effect: z.enum(["read_only", "mutating", "destructive", "unknown"]).default("unknown"),
});

const plan = z.strictObject({ chain_id: name.default("chain"), steps: z.array(step).min(1).max(maxSteps) });

/**
 * Reads `{chain_id?, steps: [{server_id?, tool_name, arguments?, effects?, data_classes?, externality?, side_effect?}]}`, at most 1,000 steps.
 * Throws Refusal (2) that names the member that is wrong and what may stand there.
 */
export const parsePlan = (bytes: Uint8Array): Plan => {
  const parsed = plan.safeParse(strictJson(bytes));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = (issue?.path ?? []).map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
    throw new Refusal(
      ExitCode.refused,
      `the plan is refused at ${where.replace(/^\./, "") || "its top"}: ${issue?.message}`,
    );
  }
  const { chain_id, steps } = parsed.data;
  return Object.freeze({
    chain_id,
    steps: Object.freeze(
      steps.map(({ side_effect, effects, ...rest }) =>
        Object.freeze({
          ...rest,
          arguments: rest.arguments as WireValue,
          effects: side_effect === "destructive" ? [...effects, "delete"] : effects,
        }),
      ),
    ),
  });
};

const strictJson = (bytes: Uint8Array): unknown => {
  try {
    return admit(bytes);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new Refusal(ExitCode.refused, `the plan is refused: ${error.message}`);
  }
};
