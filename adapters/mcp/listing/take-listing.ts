import {
  type Listing,
  ListingRefused,
  listMethods,
  listNames,
  readListing,
} from "../../../client-node/surface/listing.ts";
import type { JsonObject, JsonValue } from "../../../wire/value.ts";
import { NotStarted, ServerProcess } from "../stdio/server-process.ts";
import { AskedServerOnce, NoAnswer } from "./asked-once.ts";

export { ListingRefused, NoAnswer, NotStarted };

/** What a server lists to whoever asks it, all pages of all of its lists. */
export interface TakenListing extends Omit<Listing, "ttl_ms"> {
  readonly instructions: string | null;
}

const sessionVersion = "2025-11-25";
const statelessVersion = "2026-07-28";
const clientInfo = { name: "interlock", version: "1" };

/**
 * Starts a server, lists it as a client of either era, and ends it; all of it within `timeout_ms`. Nothing of it is called. Rejects with
 * NotStarted, NoAnswer, and ListingRefused where what it answers is no listing.
 */
export const takeListing = async (
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  timeout_ms: number,
): Promise<TakenListing> => {
  const server = await ServerProcess.start(command, args, env);
  const asked = new AskedServerOnce(server);
  const timer = setTimeout(() => {
    asked.give(`the server did not list within ${timeout_ms / 1000} s`);
    server.signal("SIGKILL");
  }, timeout_ms);
  try {
    await server.open(asked);
    return await listed(asked);
  } finally {
    clearTimeout(timer);
    await server.close();
  }
};

const listed = async (asked: AskedServerOnce): Promise<TakenListing> => {
  const { opened, meta } = await open(asked);
  const declared = opened.capabilities;
  const lists = listNames.filter((list) => isObject(declared) && Object.hasOwn(declared, listMethods[list].capability));
  const { ttl_ms: _, ...listing } = await readListing(lists, (list, cursor) =>
    asked.result(listMethods[list].method, { ...(cursor === null ? {} : { cursor }), ...meta }),
  );
  return { ...listing, instructions: typeof opened.instructions === "string" ? opened.instructions : null };
};

interface Opened {
  readonly opened: JsonObject;
  /** What each request of a stateless server brings. */
  readonly meta: JsonObject;
}

const open = async (asked: AskedServerOnce): Promise<Opened> => {
  const params = { protocolVersion: sessionVersion, capabilities: {}, clientInfo };
  const opened = await asked.result("initialize", params);
  if (opened !== undefined && !isObject(opened)) throw new ListingRefused("shape");
  if (isObject(opened)) {
    await asked.notify("notifications/initialized");
    return { opened, meta: {} };
  }
  const prefix = "io.modelcontextprotocol/";
  const _meta = {
    [`${prefix}protocolVersion`]: statelessVersion,
    [`${prefix}clientCapabilities`]: {},
    [`${prefix}clientInfo`]: clientInfo,
  };
  const discovered = await asked.result("server/discover", { _meta });
  if (!isObject(discovered)) throw new NoAnswer("the server speaks no version of MCP that is known here");
  return { opened: discovered, meta: { _meta } };
};

const isObject = (json: JsonValue | undefined): json is JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json);
