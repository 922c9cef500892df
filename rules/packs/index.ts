/** The standard packs: `import { standardPacks } from "interlock/rules/packs"`. docs/packs.md lists what each stops. */

export { packs } from "./catalogue.ts";
export type { Finding } from "./finding.ts";
export type { OptionNote, Pack, PackId, PackNotes, Surroundings, Tier } from "./pack.ts";
export { type StandardContents, type StandardOptions, standardPacks } from "./standard.ts";
