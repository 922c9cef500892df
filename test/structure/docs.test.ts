import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { runDocument } from "./docs/run-document.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const markdownIn = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".md")) : [];
const documents = [
  ...markdownIn(root).filter((name) => name === "README.md"),
  "client-python/README.md",
  ...markdownIn(`${root}docs`).map((name) => `docs/${name}`),
];

it("has the commands that documents use", () => {
  const built = ["interlock", "interlock-sidecar"].every((name) => existsSync(`${root}dist/bin/${name}.js`));
  expect(documents.length === 0 || built, "run `npm run build` first").toBe(true);
});

for (const name of documents) {
  it(`${name} does what it says`, { timeout: 300_000 }, async () => {
    await runDocument(readFileSync(`${root}${name}`, "utf8"));
  });
}
