import { canonicalJson } from "../../wire/canonical.ts";
import type { SensorEvent } from "../../wire/event.ts";
import type { FeatureSet } from "../../wire/features.ts";
import { argsJson } from "../engine/args-json.ts";
import type { Judgement } from "../engine/judgement.ts";
import { rewriteArgs } from "../engine/rewrite.ts";

/**
 * What may run, or be told, instead of what was put, as canonical JSON: all of the arguments as the client will have them, or
 * the result that replaces another. What a client merges is merged here as it does it.
 */
export const finalCanonical = (
  { args }: Pick<SensorEvent, "args">,
  { modified_args, modified_result }: Pick<Judgement, "modified_args" | "modified_result">,
  { replace_args }: Pick<FeatureSet, "replace_args">,
): string => {
  if (modified_args === null) return canonicalJson(argsJson(modified_result));
  return canonicalJson(argsJson(replace_args ? modified_args : rewriteArgs(args, modified_args)));
};
