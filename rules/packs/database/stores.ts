import type { WireObject, WireValue } from "../../../wire/value.ts";
import { cypherHarm } from "./graph.ts";

/** What a command of a store without SQL does. Closed. */
export type StoreHarm = "destroys" | "all_rows" | "program" | "server";

export const storeReasons: Readonly<Record<StoreHarm, string>> = {
  destroys: "it destroys a database, a collection or an index with all data in it",
  all_rows: "it changes every record of a collection: no condition narrows it",
  program: "it runs a program in the database",
  server: "it changes the database server itself",
};

const redisCommands: Readonly<Record<string, StoreHarm>> = {
  FLUSHALL: "destroys",
  FLUSHDB: "destroys",
  EVAL: "program",
  EVALSHA: "program",
  FUNCTION: "program",
  FCALL: "program",
  SCRIPT: "program",
  SHUTDOWN: "server",
  SLAVEOF: "server",
  REPLICAOF: "server",
  MIGRATE: "server",
  DEBUG: "server",
};
/** Commands of which only some subcommands change anything. */
const redisPairs: Readonly<Record<string, readonly [RegExp, StoreHarm]>> = {
  CONFIG: [/^(?:SET|REWRITE|RESETSTAT)$/, "server"],
  MODULE: [/^(?:LOAD|LOADEX|UNLOAD)$/, "program"],
  ACL: [/^(?:SETUSER|DELUSER|LOAD|SAVE)$/, "server"],
  CLIENT: [/^KILL$/, "server"],
  CLUSTER: [/^(?:RESET|FLUSHSLOTS|FAILOVER|FORGET)$/, "server"],
};

/** What a command of Redis does, with the options of redis-cli before it. */
export const redisHarm = (text: string): StoreHarm | null => {
  const words = text.trim().slice(0, 4_096).split(/\s+/);
  let at = 0;
  while (words[at]?.startsWith("-") === true)
    at += /^(?:-[hpansuidrx]|--user|--pass|--cacert|--cert|--key)$/.test(words[at] ?? "") && words[at] !== "-x" ? 2 : 1;
  if (words.slice(0, at).includes("--eval")) return "program";
  const command = words[at]?.toUpperCase() ?? "";
  const pair = redisPairs[command];
  if (pair !== undefined) return pair[0].test(words[at + 1]?.toUpperCase() ?? "") ? pair[1] : null;
  return redisCommands[command] ?? null;
};

/** What a text for the shell of MongoDB does. */
export const mongoCodeHarm = (text: string): StoreHarm | null => {
  const code = text.slice(0, 32_768);
  if (
    /\.(?:dropDatabase|drop|dropCollection|dropIndexes)\s{0,8}\(/.test(code) ||
    /\bdropDatabase["']?\s{0,8}[:)]/.test(code)
  )
    return "destroys";
  if (/\.(?:deleteMany|remove|updateMany)\s{0,8}\(\s{0,8}(?:\{\s{0,8}\}|\))/.test(code)) return "all_rows";
  if (/\$(?:where|function|accumulator)\b/.test(code)) return "program";
  return /\.(?:shutdownServer|createUser|grantRolesToUser|dropUser|dropAllUsers)\s{0,8}\(/.test(code) ? "server" : null;
};

/** Tools of document stores, by words in their names, and what some of them do by their names alone. */
const documentTools =
  /(?:^|[^a-z])(?:mongo|mongodb|docdb|documentdb|cosmos|firestore|couchdb|dynamo|dynamodb)(?:[^a-z]|$)/;
const graphTools = /(?:^|[^a-z])(?:cypher|neo4j|memgraph|graphdb|falkordb)(?:[^a-z]|$)/;
const searchTools = /(?:^|[^a-z])(?:elastic|elasticsearch|opensearch|es)(?:[^a-z]|$)/;
const spaced = (action: string): string =>
  action
    .slice(0, 256)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase();

const manyWords = /(?:delete|update|remove)[_-]?many|delete[_-]by[_-]query|update[_-]by[_-]query|bulk[_-]delete/;
const dropWords =
  /drop[_-]?(?:database|collection|index(?:es)?)|delete[_-]?(?:index|indices|collection|database|table)|indices[._-]delete/;

/** What a call of a tool for documents or search does, as far as its name and its filter tell. */
export const storeCallHarm = (action: string, args: WireObject): StoreHarm | null => {
  const name = spaced(action);
  if (/(?:^|[^a-z])redis(?:[^a-z]|$)/.test(name)) return redisCall(name, args);
  if (graphTools.test(name)) return graphCall(args);
  const isStore = documentTools.test(name) || searchTools.test(name);
  // Names of the official servers' tools: `delete-many`, `drop-collection`, without the store's.
  if (dropWords.test(name) && (isStore || /drop/.test(name))) return "destroys";
  if (manyWords.test(name)) return isEmptyFilter(filterIn(args)) ? "all_rows" : null;
  const path = [args.path, args.url, args.endpoint].find((value) => typeof value === "string");
  if (typeof path === "string" && /\/_(?:delete|update)_by_query\b/.test(path.slice(0, 2_048)))
    return isEmptyFilter(args.body ?? args.data ?? args.json) ? "all_rows" : null;
  if (!isStore) return null;
  if (typeof path === "string" && isDeletion(args.method) && isWhole(path)) return "destroys";
  if (Array.isArray(args.pipeline) && args.pipeline.some(replacesCollection)) return "all_rows";
  for (const key of ["command", "query", "code", "script", "input"]) {
    const text = args[key];
    const harm = typeof text === "string" ? mongoCodeHarm(text) : null;
    if (harm !== null) return harm;
  }
  return null;
};

const graphCall = (args: WireObject): StoreHarm | null => {
  for (const key of ["query", "cypher", "statement", "cypher_query", "command", "input"]) {
    const text = args[key];
    const harm = typeof text === "string" ? cypherHarm(text) : null;
    if (harm !== null) return harm;
  }
  return null;
};

const isDeletion = (method: WireValue | undefined): boolean =>
  typeof method === "string" && method.toUpperCase() === "DELETE";

/** A path of one part is an index or a database with all that is in it: `/_all`, `/users`; below it are its documents. */
const isWhole = (path: string): boolean => {
  const [way = ""] = path
    .slice(0, 2_048)
    .replace(/^[a-z]{2,8}:\/\/[^/]{0,512}/i, "")
    .split(/[?#]/, 1);
  const parts = way.split("/").filter((part) => part !== "");
  return parts.length === 1 || (parts[0] === "_data_stream" && parts.length === 2);
};

/** `$out` puts what it found in the place of everything that a collection held: https://www.mongodb.com/docs/manual/reference/operator/aggregation/out/. */
const replacesCollection = (stage: WireValue): boolean =>
  typeof stage === "object" && stage !== null && Object.hasOwn(stage, "$out");

const redisCall = (name: string, args: WireObject): StoreHarm | null => {
  const command = args.command ?? args.cmd ?? args.input;
  if (Array.isArray(command)) return redisHarm(command.filter((item) => typeof item === "string").join(" "));
  if (typeof command === "string")
    return redisHarm(Array.isArray(args.args) ? [command, ...args.args].join(" ") : command);
  return /flush(?:_?all|_?db)/.test(name) ? "destroys" : null;
};

const filterIn = (args: WireObject): WireValue | undefined =>
  args.filter ?? args.query ?? args.where ?? args.selector ?? args.body;

/** No filter, `{}`, `match_all`, or one that every record passes. */
const isEmptyFilter = (filter: WireValue | undefined): boolean => {
  if (filter === undefined || filter === null) return true;
  if (typeof filter === "string") {
    try {
      return filter.trim() === "" || isEmptyFilter(JSON.parse(filter) as WireValue);
    } catch {
      return false;
    }
  }
  if (typeof filter !== "object" || Array.isArray(filter) || filter instanceof Uint8Array) return false;
  const entries = Object.entries(filter as WireObject);
  if (entries.length === 0) return true;
  const [first] = entries;
  if (entries.length !== 1 || first === undefined) return false;
  if (first[0] === "match_all") return true;
  if (first[0] === "query") return isEmptyFilter(first[1]);
  return first[0] === "_id" && JSON.stringify(first[1]) === '{"$exists":true}';
};
