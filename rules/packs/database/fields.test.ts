import { expect, it } from "vitest";
import { judgeBy } from "../../../test/detect/judge.ts";

const judge = judgeBy("starter");

it.each([
  ["elasticsearch_request", { method: "DELETE", path: "/users" }, true],
  ["elasticsearch_request", { method: "DELETE", path: "/users/_doc/1" }, false],
  ["elasticsearch_request", { method: "GET", path: "/users" }, false],
  ["http_request", { method: "DELETE", url: "https://api.example.com/users" }, false],
  ["dynamodb_delete_table", { TableName: "users" }, true],
  ["docs_delete_table", { table: 3 }, false],
  ["mongo_aggregate", { collection: "a", pipeline: [{ $match: { y: 1 } }, { $out: "a" }] }, true],
  ["find_user", { name: { $regex: ".*" } }, true],
  ["find_orders", { filter: { status: { $exists: true } } }, false],
  ["web_search", { query: "SQL injection ' OR 1=1 -- explained" }, false],
  ["search_products", { query: "x' OR 1=1 --" }, true],
  ["neo4j_query", { query: "MATCH (n) DETACH DELETE n" }, true],
])("%s %j: %s", async (action, args, expected) => {
  expect((await judge({ action, args: args as never })).held).toBe(expected);
});
