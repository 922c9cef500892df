import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { pinnedScope } from "../client-node/pinned-scope.ts";
import { SignedFileRefused, signedFileRefusals } from "../client-node/signed-file.ts";
import { scopeCorpusText } from "./scopes/corpus.ts";
import type { ScopeCorpus } from "./scopes/format.ts";

const text = readFileSync(new URL("scopes.json", import.meta.url), "utf8");
const { documents, keys } = JSON.parse(text) as ScopeCorpus;
const directory = mkdtempSync(join(tmpdir(), "il-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("scopes.json is what the generator makes, and ASCII", () => {
  expect(text === scopeCorpusText(), "run npx tsx conformance/write-data.ts").toBe(true);
  expect(text).toMatch(/^[\n -~]*$/);
  expect(new Set(documents.map(({ name }) => name)).size).toBe(documents.length);
});

test("a document is refused in each way that one can be, and not read where it is not there", () => {
  const refused = new Set(
    documents.map(({ expect: expected }) => expected).filter((code) => !code.startsWith("sha256:")),
  );
  expect([...refused, "unreadable"].sort()).toEqual(Object.keys(signedFileRefusals).sort());
});

test.each(documents)("$name: $expect", ({ name, document, key, now, expect: expected }) => {
  const [file, keyFile] = [join(directory, `${name}.json`), join(directory, `${name}.pub`)];
  writeFileSync(file, document);
  writeFileSync(keyFile, keys[key] as string);
  let judged: string;
  try {
    judged = pinnedScope(file, keyFile, Date.parse(now));
  } catch (error) {
    if (!(error instanceof SignedFileRefused)) throw error;
    judged = error.code;
  }
  expect(judged).toBe(expected);
});
