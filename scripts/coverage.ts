import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { declaredLimits } from "../client-node/intercept/coverage/declared-limits.ts";
import { table } from "../client-node/intercept/coverage/table.ts";
import { inventories } from "./coverage/inventories.ts";
import { coveragePage } from "./coverage/page.ts";

writeFileSync(
  fileURLToPath(new URL("../docs/coverage.md", import.meta.url)),
  coveragePage(table(), declaredLimits, await inventories()),
);
