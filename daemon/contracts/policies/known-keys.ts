import type { z } from "zod";

/** The keys of the object that a schema reads at a path; none where several forms stand there, or no object. */
export const knownKeys = (schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] => {
  let at: z.core.$ZodType | null = opened(schema);
  for (const step of path) {
    const def: z.core.$ZodTypeDef | undefined = at?._zod.def;
    if (def === undefined) return [];
    if (isObject(def)) at = def.shape[step as string] ?? null;
    else if (isArray(def)) at = def.element;
    else if (isRecord(def)) at = def.valueType;
    else return [];
    at = at === null ? null : opened(at);
  }
  const def = at?._zod.def;
  return def !== undefined && isObject(def) ? Object.keys(def.shape) : [];
};

/** What a key may be left out, or a later definition, stands around. */
const opened = (schema: z.core.$ZodType): z.core.$ZodType => {
  const def = schema._zod.def;
  if (def.type === "optional") return opened((def as z.core.$ZodOptionalDef).innerType);
  if (def.type === "lazy") return opened((def as z.core.$ZodLazyDef).getter());
  return schema;
};

const isObject = (def: z.core.$ZodTypeDef): def is z.core.$ZodObjectDef => def.type === "object";
const isArray = (def: z.core.$ZodTypeDef): def is z.core.$ZodArrayDef => def.type === "array";
const isRecord = (def: z.core.$ZodTypeDef): def is z.core.$ZodRecordDef => def.type === "record";
