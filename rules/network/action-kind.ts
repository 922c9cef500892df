import { remembered } from "../remembered.ts";
import { toolWords } from "../tool-words.ts";

/**
 * What a tool does with an address, told by the words of its name, which whoever sets the tool up chooses and not the caller.
 * `fetches`: it goes there. `serves`: a host without a scheme is where it waits itself. `queries`: it is the client of a database.
 * `connects`, `resolves` and `listens`: the guard's own events, with host and port apart, for a name alone, and for what is reached.
 */
export type ActionKind = "fetches" | "serves" | "queries" | "connects" | "resolves" | "listens" | "other";

const fetching: ReadonlySet<string> = new Set([
  "fetch",
  "http",
  "https",
  "http2",
  "curl",
  "wget",
  "browser",
  "browse",
  "navigate",
  "goto",
  "crawl",
  "crawler",
  "scrape",
  "scraper",
  "puppeteer",
  "playwright",
  "download",
  "url",
  "urls",
  "webpage",
  "website",
  "websocket",
  "eventsource",
  "webfetch",
  "axios",
  "postman",
  "graphql",
]);
const serving: ReadonlySet<string> = new Set(["listen", "bind", "serve"]);
const starting: ReadonlySet<string> = new Set(["start", "run", "launch"]);
const querying: ReadonlySet<string> = new Set([
  ...["db", "database", "sql", "postgres", "postgresql", "mysql", "mariadb", "redis", "mongo", "mongodb", "clickhouse"],
]);
const listening: ReadonlySet<string> = new Set(["net.listen", "dgram.bind"]);
const connecting: ReadonlySet<string> = new Set(["net.connect", "tls.connect", "net.dial", "dgram.send"]);

const kindOf = (action: string): ActionKind => {
  if (connecting.has(action)) return "connects";
  if (listening.has(action)) return "listens";
  if (action === "dns.lookup") return "resolves";
  const words = toolWords(action);
  if (words.some((word) => fetching.has(word))) return "fetches";
  if (words.some((word) => querying.has(word))) return "queries";
  if (words.some((word) => serving.has(word))) return "serves";
  if (words.includes("server") && words.some((word) => starting.has(word))) return "serves";
  // `net.*` is whatever else the network is asked for.
  return words[0] === "net" ? "fetches" : "other";
};

export const actionKind = remembered(kindOf);
