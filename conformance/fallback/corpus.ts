import { decisions } from "./decisions.ts";
import { documents, keys } from "./documents.ts";
import type { FallbackCorpus } from "./format.ts";
import { payloads } from "./payloads.ts";
import { policies } from "./policies.ts";

export const fallbackCorpus: FallbackCorpus = { fallback_version: 1, keys, documents, payloads, policies, decisions };

/** ASCII, so that no reader has to guess an encoding. */
export const fallbackCorpusText = (): string =>
  `${JSON.stringify(fallbackCorpus, null, 2).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )}\n`;
