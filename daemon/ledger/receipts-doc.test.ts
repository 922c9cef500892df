import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { storeRefusals } from "../store/refused.ts";
import { storeProblems } from "../store/store-finding.ts";
import { contextAnswers } from "./context/judge-context.ts";
import { chainProblems } from "./verify.ts";

const document = readFileSync(new URL("../../docs/receipts.md", import.meta.url), "utf8");

/** The table rows `| \`code\` | words |` of the section with this heading. */
const tableOf = (heading: string): Record<string, string> => {
  const section = document.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  return Object.fromEntries(
    [...section.matchAll(/^\| `([a-z_]+)` \| (.+) \|$/gm)].map(([, code = "", words = ""]) => [code, words]),
  );
};

test("docs/receipts.md lists every finding of verify, in its words", () => {
  expect(tableOf("Verify")).toEqual(chainProblems);
});

test("docs/receipts.md lists every refusal of the store, in its words", () => {
  expect(tableOf("The state directory")).toEqual(storeRefusals);
});

test("docs/receipts.md lists every answer of a check and no other", () => {
  const section = document.split("### Is it the receipt of this call?")[1]?.split("###")[0] ?? "";
  const listed = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(listed).toEqual(Object.keys(contextAnswers));
});

test("docs/receipts.md lists every finding of fsck, in its words", () => {
  expect(tableOf("Look at the store itself")).toEqual(storeProblems);
});
