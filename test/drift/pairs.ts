import { readdirSync, readFileSync } from "node:fs";
import { z } from "zod";
import type { OtherServer } from "../../daemon/surfaces/classify/index.ts";
import { itemOf, surfaceOf } from "../../daemon/surfaces/classify/testing.ts";
import type { ServerIdentity, Surface, SurfaceItem } from "../../daemon/surfaces/surface.ts";
import type { JsonObject } from "../../wire/value.ts";

const definitions = z.array(z.record(z.string(), z.unknown()));

const listing = z.strictObject({
  server: z.string(),
  tools: definitions,
  prompts: definitions.optional(),
  resources: definitions.optional(),
  resource_templates: definitions.optional(),
  instructions: z.string().optional(),
  identity: z.record(z.string(), z.unknown()).optional(),
});

/** What one file of `conformance/drift/pairs` holds. */
export const pairFile = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,119}$/),
  label: z.enum(["attack", "churn"]),
  kind: z.string().regex(/^[a-z_]{1,40}$/),
  set: z.enum(["tuned", "held_out"]),
  note: z.string().min(5),
  source: z
    .strictObject({ package: z.string(), before_version: z.string(), after_version: z.string(), license: z.string() })
    .nullable(),
  others: z.array(z.strictObject({ server: z.string(), tools: z.array(z.string()) })),
  before: listing,
  after: listing,
  held: z.array(
    z.strictObject({
      kind: z.enum(["instructions", "prompt", "resource", "server", "template", "tool"]),
      name: z.string(),
    }),
  ),
});

export type PairFile = z.infer<typeof pairFile>;

export interface Pair extends Omit<PairFile, "after" | "before" | "others"> {
  readonly before: Surface;
  readonly after: Surface;
  readonly others: readonly OtherServer[];
}

const folder = new URL("../../conformance/drift/pairs/", import.meta.url);

export const loadPairs = (): readonly Pair[] =>
  ["attack", "churn"].flatMap((label) =>
    readdirSync(new URL(`${label}/`, folder))
      .sort()
      .map((name) => {
        const { before, after, ...rest } = pairFile.parse(
          JSON.parse(readFileSync(new URL(`${label}/${name}`, folder), "utf8")),
        );
        if (`${rest.name}.json` !== name || rest.label !== label)
          throw new Error(`${label}/${name} is named otherwise`);
        return { ...rest, before: surfaceIn(before), after: surfaceIn(after) };
      }),
  );

const surfaceIn = (listed: PairFile["before"]): Surface => {
  const items: SurfaceItem[] = [];
  const add = (kind: SurfaceItem["kind"], found: readonly Record<string, unknown>[] | undefined): void => {
    for (const definition of found ?? []) items.push(itemOf(kind, definition as JsonObject));
  };
  add("tool", listed.tools);
  add("prompt", listed.prompts);
  add("resource", listed.resources);
  add("template", listed.resource_templates);
  if (listed.instructions !== undefined) add("instructions", [{ text: listed.instructions }]);
  return surfaceOf(items, { server: listed.server, identity: (listed.identity as ServerIdentity | undefined) ?? null });
};
