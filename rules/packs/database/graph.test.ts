import { expect, it } from "vitest";
import { cost_ms } from "../../../test/detect/cost.ts";
import { cypherHarm } from "./graph.ts";

it.each([
  ["MATCH (n) DETACH DELETE n", "all_rows"],
  ["MATCH (u:User) SET u.admin = true", "all_rows"],
  ["MATCH (u:User) /* WHERE */ DELETE u", "all_rows"],
  ["MATCH (u:User) SET u.note = 'WHERE {'", "all_rows"],
  ["MATCH (u:User {id: 1}) DELETE u", null],
  ["MATCH (u:User) WHERE u.id = 1 SET u.name = 'x'", null],
  ["MATCH (n) RETURN 'DELETE' LIMIT 3", null],
  ["CREATE (u:User {name: 'DROP DATABASE x'})", null],
  ["DROP DATABASE neo4j", "destroys"],
  ["CREATE USER mallory SET PASSWORD 'x'", "server"],
  ["CALL apoc.load.json('http://x.example')", "program"],
  ["CALL db.labels()", null],
])("%s: %s", (text, harm) => expect(cypherHarm(text)).toBe(harm));

it.each([
  "'".repeat(16_384),
  "/*".repeat(8_192),
  "/*".padEnd(16_384, "*"),
  '"\\'.repeat(8_192),
  "APOC .".repeat(2_700),
])("hostile text is read in time", async (text) => expect(await cost_ms(() => cypherHarm(text))).toBeLessThan(50));
