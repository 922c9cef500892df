import type { JsonObject } from "../../../wire/value.ts";
import type { CommandResult } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import { findingLine, itemName } from "../../operator/display/surface-lines.ts";
import { linesOf } from "../../scan/lines.ts";
import type { DriftAction, SurfaceDrift } from "../finding.ts";
import { compareOffline } from "../offline/compare.ts";
import type { ListingFile } from "../offline/listing-file.ts";
import { driftSarif } from "../offline/sarif.ts";
import { comparePlaces } from "../review/places.ts";
import { renderPlaces } from "../review/render.ts";
import { itemKey, type Surface } from "../surface.ts";

/** From where on drift is the answer no; `any`: whatever is not as it was approved. */
export const failOn = Object.freeze(["quarantine", "deny", "monitor", "any"] as const);
export type FailOn = (typeof failOn)[number];

export interface DriftCheck {
  /** As it was given; `-` is standard input. */
  readonly file: string;
  readonly source: string;
  readonly listing: ListingFile;
  /** Null: each item is judged alone, for what is hostile by itself. */
  readonly approved: Surface | null;
  readonly failOn: FailOn;
  readonly format: "lines" | "sarif";
  readonly columns: number | null;
}

const rank: Readonly<Record<DriftAction, number>> = { allow: 0, monitor: 1, deny: 2, quarantine: 3 };

const isDrift = (drift: SurfaceDrift, least: FailOn): boolean =>
  least === "any" ? drift.items.length + drift.findings.length > 0 : rank[drift.action] >= rank[least];

/** `interlock drift check FILE`: a saved listing against what was approved, without a daemon. Drift is the answer no. */
export const checkDrift = (check: DriftCheck): CommandResult => {
  const { file, source, listing, approved } = check;
  const drift = compareOffline(approved, listing.surface);
  const exitCode = isDrift(drift, check.failOn) ? ExitCode.no : ExitCode.done;
  if (check.format === "sarif") {
    const sarif = driftSarif({
      file,
      drift,
      places: listing.places,
      lineOf: linesOf({ kind: "json", value: null, source }),
    });
    return { exitCode, lines: [JSON.stringify(sarif, null, 2)], json: sarif };
  }
  return {
    exitCode,
    lines: linesIn(check, drift),
    json: {
      ok: exitCode === ExitCode.done,
      file,
      fail_on: check.failOn,
      severity: drift.severity,
      action: drift.action,
      approved_hash: approved?.hash ?? null,
      observed_hash: listing.surface.hash,
      findings: drift.findings,
      items: drift.items,
    },
  };
};

const linesIn = ({ file, listing, approved, columns }: DriftCheck, drift: SurfaceDrift): readonly string[] => {
  const count = listing.surface.items.length;
  const items = `${count} ${count === 1 ? "item" : "items"}`;
  const against = approved === null ? "judged alone" : "compared";
  if (drift.items.length + drift.findings.length === 0) {
    return [`${file}: ${items} ${against}: ${approved === null ? "nothing hostile" : "as approved"}`];
  }
  const before = new Map((approved?.items ?? []).map((item) => [itemKey(item), item.definition as JsonObject]));
  const after = new Map(listing.surface.items.map((item) => [itemKey(item), item.definition as JsonObject]));
  const lines = drift.findings.map((finding) => `server:${findingLine(finding)}`);
  for (const item of drift.items) {
    lines.push(`${itemName(item)}: ${item.action}, ${item.severity}`, ...item.findings.map(findingLine));
    if (approved === null) continue;
    const was = before.get(itemKey(item)) ?? null;
    const is = after.get(itemKey(item)) ?? null;
    if (was !== null && is !== null) lines.push(...renderPlaces(comparePlaces(was, is).changed, { columns }));
  }
  lines.push(`${file}: ${items} ${against}: ${drift.action}, ${drift.severity}`);
  return lines;
};
