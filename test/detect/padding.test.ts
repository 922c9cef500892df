import { expect, it } from "vitest";
import type { WireObject } from "../../wire/value.ts";
import { judgeBy } from "./judge.ts";

const judge = judgeBy("starter");
const blank = " ".repeat(70_000);
const token = `ghp_${"A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"}`;

/** What is held when it is short must not pass because something long stands before it. */
it.each<[string, string, WireObject, string]>([
  [
    "a statement behind a comment",
    "read_query",
    { query: `-- ${"x ".repeat(2_000)}\nDROP TABLE users` },
    "database.sql",
  ],
  ["a filter of blanks", "mongodb.deleteMany", { collection: "users", filter: `{${blank}}` }, "database.stores"],
  [
    "an address in JSON that a tool hands on",
    "note.add",
    { payload: `{${blank}"url":"http://169.254.169.254/latest"}` },
    "network.private",
  ],
  [
    "a file behind other literals of a program",
    "bash",
    { command: `ruby -e '${'a="xyz";'.repeat(100)}puts File.read("/etc/shadow")'` },
    "paths.in-commands",
  ],
  [
    "a token in bytes with a broken letter",
    "upload",
    { body: Buffer.concat([Uint8Array.of(0xff), Buffer.from(`the token is ${token}`)]) },
    "secrets.in-calls",
  ],
])("%s is held", async (_what, action, args, rule) => {
  expect(await judge({ action, args })).toMatchObject({ held: true, rule });
});

it("bytes of a picture hold no text, and prose in a query is no SQL however long it is", async () => {
  const picture = Uint8Array.from({ length: 4_096 }, (_, at) => (at * 151) % 256);
  expect((await judge({ action: "render", args: { picture } })).held).toBe(false);
  const question = "which orders were placed in spring, and who asked to update the delivery address? ".repeat(60);
  expect((await judge({ action: "run_query", args: { query: question } })).held).toBe(false);
});
