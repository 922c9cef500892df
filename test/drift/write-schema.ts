import { writeFileSync } from "node:fs";
import { schemaText } from "./schema-text.ts";

/** `npx tsx test/drift/write-schema.ts`: writes conformance/drift/schema.json, by which others read the pairs. */
writeFileSync(new URL("../../conformance/drift/schema.json", import.meta.url), schemaText());
