import { isObject, own } from "../fields.ts";
import type { JsonValue } from "../value.ts";

/** What stands at the end of a way: a value, nothing, or what the way does not fit. */
export type Found =
  | { readonly kind: "value"; readonly value: string | number | boolean | object }
  /** No such key or position, or null. */
  | { readonly kind: "absent" }
  /** A step into what has no such steps: a text, a number, an array by a name. */
  | { readonly kind: "unclear" };

const absent: Found = Object.freeze({ kind: "absent" });
const unclear: Found = Object.freeze({ kind: "unclear" });

/** Every item of an array. */
export const everyItem = "*";

/** What stands at the end of the steps: one, or with `*` one an item (and `absent` for an array of none). */
export const argumentValues = (value: JsonValue | undefined, steps: readonly string[], at = 0): readonly Found[] => {
  if (value === undefined || value === null) return [absent];
  const step = steps[at];
  if (step === undefined) return [{ kind: "value", value }];
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    if (step === everyItem) {
      return items.length === 0 ? [absent] : items.flatMap((item) => argumentValues(item, steps, at + 1));
    }
    return isPosition(step) ? argumentValues(items[Number(step)], steps, at + 1) : [unclear];
  }
  if (!isObject(value) || step === everyItem) return [unclear];
  return argumentValues(own(value, step), steps, at + 1);
};

/** As decimal digits write it, without a leading zero; a longer one is of no array. */
const isPosition = (step: string): boolean => /^(?:0|[1-9][0-9]{0,8})$/.test(step);
