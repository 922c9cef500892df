import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { blockCodes } from "./block-codes.ts";

test("docs/mcp.md lists exactly the codes of the proxy's own", () => {
  const page = readFileSync(new URL("../../../docs/mcp.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `([a-z_]+)` \| ([^|]+) \|$/gm)].map(([, code, meaning]) => [code, meaning]);
  expect(Object.fromEntries(rows)).toEqual(blockCodes);
});
