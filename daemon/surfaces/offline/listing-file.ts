import { admit } from "../../../wire/admission.ts";
import { WireError } from "../../../wire/errors.ts";
import { isObject, own } from "../../../wire/fields.ts";
import type { SurfaceBody } from "../../../wire/surface-body.ts";
import type { JsonObject, JsonValue } from "../../../wire/value.ts";
import { parseSurfaceBody, SurfaceRefused } from "../parse-surface.ts";
import { itemKey, type ServerKey, type Surface } from "../surface.ts";
import { BaselineRefused, isBaselineFile, parseBaselineFile } from "./baseline-file.ts";

/** What a file says that a server listed, and where in the file each item is, as `interlock scan` names places. */
export interface ListingFile {
  readonly surface: Surface;
  readonly places: ReadonlyMap<string, string>;
}

/** Is no listing. One line, without text out of a definition. */
export class ListingFileRefused extends Error {
  override readonly name = "ListingFileRefused";
}

/** Of each list: its member in the frame, the members that files have it under, and what names an item. */
const lists = [
  { key: "tools", members: ["tools"], kind: "tool", named: "name" },
  { key: "prompts", members: ["prompts"], kind: "prompt", named: "name" },
  { key: "resources", members: ["resources"], kind: "resource", named: "uri" },
  {
    key: "resource_templates",
    members: ["resourceTemplates", "resource_templates"],
    kind: "template",
    named: "uriTemplate",
  },
] as const;

/**
 * The result of `tools/list`, its JSON-RPC response, the list alone, `{tools, prompts, resources, resourceTemplates, instructions}`, or an
 * exported baseline. Strict JSON: a key that is there twice is none. Throws ListingFileRefused.
 */
export const parseListingFile = (bytes: Uint8Array, server: ServerKey): ListingFile => {
  try {
    return listingIn(admit(bytes), server);
  } catch (error) {
    if (error instanceof WireError) throw new ListingFileRefused(error.message.replace("frame is not", "it is not"));
    if (error instanceof SurfaceRefused || error instanceof BaselineRefused)
      throw new ListingFileRefused(error.message);
    throw error;
  }
};

const listingIn = (json: JsonValue, server: ServerKey): ListingFile => {
  if (isBaselineFile(json)) {
    const surface = parseBaselineFile(json);
    return { surface, places: new Map(surface.items.map((item, at) => [itemKey(item), `items[${at}].definition`])) };
  }
  if (Array.isArray(json)) {
    const { surface, places } = listingOf({ tools: json }, server, "");
    // The list is the whole file: it has no member of its own.
    return { surface, places: new Map([...places].map(([key, place]) => [key, place.replace(/^tools/, "")])) };
  }
  if (!isObject(json)) throw new ListingFileRefused("it is neither an object nor a list");
  if (own(json, "jsonrpc") === undefined) return listingOf(json, server, "");
  const result = own(json, "result");
  if (!isObject(result)) throw new ListingFileRefused("it is a JSON-RPC message without a result");
  return listingOf(result, server, "result.");
};

const listingOf = (json: JsonObject, server: ServerKey, prefix: string): ListingFile => {
  const cursor = own(json, "nextCursor");
  if (cursor !== undefined && cursor !== null)
    throw new ListingFileRefused("it is one page of several; save all of them as one list");
  const found: { -readonly [key in (typeof lists)[number]["key"]]: readonly JsonValue[] | null } = {
    tools: null,
    prompts: null,
    resources: null,
    resource_templates: null,
  };
  const places = new Map<string, string>();
  for (const { key, members, kind, named } of lists) {
    for (const member of members) {
      const list = own(json, member);
      if (list === undefined) continue;
      if (!Array.isArray(list) || found[key] !== null)
        throw new ListingFileRefused(`${member} is no list, or is there twice`);
      found[key] = list as readonly JsonValue[];
      for (const [at, item] of found[key].entries()) {
        const name = isObject(item) ? own(item, named) : undefined;
        if (typeof name === "string") places.set(itemKey({ kind, name }), `${prefix}${member}[${at}]`);
      }
    }
  }
  const instructions = own(json, "instructions");
  if (instructions !== undefined && typeof instructions !== "string")
    throw new ListingFileRefused("instructions is no text");
  if (instructions !== undefined) places.set(itemKey({ kind: "instructions", name: "" }), `${prefix}instructions`);
  if (places.size === 0 && Object.values(found).every((list) => list === null))
    throw new ListingFileRefused("it has no list of tools, prompts, resources or templates");
  const body: SurfaceBody = { ...server, ...found, instructions: instructions ?? null, identity: null, ttl_ms: null };
  return { surface: parseSurfaceBody(body), places };
};
