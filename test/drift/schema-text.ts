import { z } from "zod";
import { pairFile } from "./pairs.ts";

/** The JSON Schema of a pair, as it stands in conformance/drift/schema.json. */
export const schemaText = (): string => `${JSON.stringify(z.toJSONSchema(pairFile), null, 2)}\n`;
