import { writeFileSync } from "node:fs";
import { corpusText } from "./corpus/corpus.ts";
import { fallbackCorpusText } from "./fallback/corpus.ts";
import { misbehavioursText } from "./misbehaving/catalogue.ts";
import { scopeCorpusText } from "./scopes/corpus.ts";

/** `npx tsx conformance/write-data.ts`: writes the data files that other languages read. */
const at = (name: string): URL => new URL(name, import.meta.url);

writeFileSync(at("corpus.json"), corpusText());
writeFileSync(at("misbehaviours.json"), misbehavioursText());
writeFileSync(at("fallback.json"), fallbackCorpusText());
writeFileSync(at("scopes.json"), scopeCorpusText());
