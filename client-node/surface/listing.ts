import { MAX_LINE } from "../../wire/limits.ts";
import type { JsonValue } from "../../wire/value.ts";
import { isPlainObject } from "../plain-object.ts";

/** The lists of an MCP server, by the key under which a listing has each. */
export const listMethods = Object.freeze({
  tools: { method: "tools/list", key: "tools", capability: "tools" },
  prompts: { method: "prompts/list", key: "prompts", capability: "prompts" },
  resources: { method: "resources/list", key: "resources", capability: "resources" },
  resource_templates: { method: "resources/templates/list", key: "resourceTemplates", capability: "resources" },
} as const);
export type ListName = keyof typeof listMethods;
export const listNames = Object.freeze(Object.keys(listMethods) as ListName[]);

/** Everything that a server lists, at one moment. What it was not asked for is null. */
export type Listing = Readonly<Record<ListName, readonly JsonValue[] | null>> & {
  /** How long the server says that its lists hold: the shortest of what it says. Null where it says nothing. */
  readonly ttl_ms: number | null;
};

/** Why a server's listing is none. */
export const listingProblems = Object.freeze({
  loop: "the server lists the same page twice",
  pages: "the server lists more pages than are read",
  long: "the server's listing is longer than can be reported",
  shape: "the server's listing is not one",
  failed: "the server does not answer for its listing",
} as const);

/** There is no listing; the words name nothing that the server said. */
export class ListingRefused extends Error {
  override readonly name = "ListingRefused";

  constructor(problem: keyof typeof listingProblems) {
    super(listingProblems[problem]);
  }
}

/** Asks the server for one page. Undefined where it knows no such list; rejects where it does not answer. */
export type AskPage = (list: ListName, cursor: string | null) => Promise<unknown>;

const maxPages = 1000;
/** A frame has room for the listing and for what stands beside it. */
const maxListingChars = MAX_LINE - 64 * 1024;

/**
 * All pages of these lists. A cursor that was given before is a loop; more pages or more text than a report can hold are refused before
 * they are kept.
 *
 * @throws ListingRefused
 */
export const readListing = async (lists: readonly ListName[], ask: AskPage): Promise<Listing> => {
  const room = { chars: maxListingChars };
  const ttls: number[] = [];
  const listing: Record<ListName, readonly JsonValue[] | null> = {
    tools: null,
    prompts: null,
    resources: null,
    resource_templates: null,
  };
  for (const list of lists) listing[list] = await readPages(list, ask, room, ttls);
  return Object.freeze({ ...listing, ttl_ms: ttls.length === 0 ? null : Math.min(...ttls) });
};

const readPages = async (
  list: ListName,
  ask: AskPage,
  room: { chars: number },
  ttls: number[],
): Promise<readonly JsonValue[] | null> => {
  const items: JsonValue[] = [];
  const cursors = new Set<string>();
  let cursor: string | null = null;
  for (let pages = 0; ; pages++) {
    if (pages === maxPages) throw new ListingRefused("pages");
    const page: unknown = await answered(ask(list, cursor));
    if (page === undefined && pages === 0) return null;
    if (!isPlainObject(page)) throw new ListingRefused("shape");
    const found = page[listMethods[list].key];
    if (!Array.isArray(found)) throw new ListingRefused("shape");
    room.chars -= JSON.stringify(found).length;
    if (room.chars < 0) throw new ListingRefused("long");
    items.push(...(found as JsonValue[]));
    if (typeof page.ttlMs === "number" && page.ttlMs >= 0) ttls.push(Math.floor(page.ttlMs));
    const { nextCursor } = page;
    if (nextCursor === undefined || nextCursor === null) return items;
    if (typeof nextCursor !== "string") throw new ListingRefused("shape");
    if (cursors.has(nextCursor)) throw new ListingRefused("loop");
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
};

const answered = async (page: Promise<unknown>): Promise<unknown> => {
  try {
    return await page;
  } catch (error) {
    throw error instanceof ListingRefused ? error : new ListingRefused("failed");
  }
};
