import { packs } from "../../rules/packs/catalogue.ts";
import type { Finding } from "../../rules/packs/finding.ts";
import type { Pack, PackId, Tier } from "../../rules/packs/pack.ts";
import { textsOf } from "../../rules/scan/texts.ts";
import type { Phase } from "../../wire/event.ts";
import type { JsonValue } from "../../wire/value.ts";

export interface ScanRequest {
  readonly value: JsonValue;
  /** `result`: it came from a tool. `call`: it is about to go to one. */
  readonly phase: Phase;
  readonly tier: Tier;
  /** Null: every pack that looks at text. */
  readonly only: readonly PackId[] | null;
  /** Findings that are less sure are left out; from 0 to 1. */
  readonly minConfidence: number;
}

export interface Scanned {
  /** By place in the value, then by offset. */
  readonly findings: readonly Finding[];
  readonly characters: number;
  /** There was more than is looked at. */
  readonly isCutShort: boolean;
}

/** The packs that look at text, in the order of the catalogue. */
export const scanningPacks = (): readonly Pack[] =>
  (Object.values(packs) as readonly Pack[]).filter(({ scan }) => scan !== undefined);

/** What the packs find in one value. */
export const scanValue = async ({ value, phase, tier, only, minConfidence }: ScanRequest): Promise<Scanned> => {
  const { texts, characters, isCutShort } = textsOf(value);
  const order = new Map<string, number>();
  for (const { place } of texts) if (!order.has(place)) order.set(place, order.size);
  const found: Finding[] = [];
  for (const pack of scanningPacks()) {
    if (only !== null && !only.includes(pack.id)) continue;
    // A pack that the tier leaves out is asked by its options of the other: whoever scans wants to know.
    const options = pack.tiers[tier] ?? pack.tiers.strict ?? pack.tiers.starter;
    if (options !== null) found.push(...((await pack.scan?.(value, phase, options)) ?? []));
  }
  const rank = ({ place }: Finding): number => order.get(place) ?? order.size;
  const findings = found
    .filter(({ confidence }) => confidence >= minConfidence)
    .sort((a, b) => rank(a) - rank(b) || a.start - b.start || a.end - b.end);
  return { findings, characters, isCutShort };
};
