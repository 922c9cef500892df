import type { PackId, Tier } from "../../../rules/packs/pack.ts";
import type { Phase } from "../../../wire/event.ts";
import type { CommandResult } from "../../commands/command-result.ts";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import { safeName } from "../../operator/display/safe-text.ts";
import { scanningPacks, scanValue } from "../find.ts";
import { linesOf } from "../lines.ts";
import { type MaterialKind, materialOf } from "../material.ts";
import { sarifOf } from "../sarif.ts";

export interface ScanCommand {
  /** As it was given; `-` is standard input. */
  readonly file: string;
  readonly source: string;
  readonly as: MaterialKind | null;
  readonly phase: Phase;
  readonly tier: Tier;
  readonly packs: readonly string[];
  readonly minConfidence: number;
  readonly format: "lines" | "sarif";
}

/** `interlock scan FILE`: what the packs find in a text, in JSON, or in what an MCP server listed. Something found is the answer no. */
export const scan = async (command: ScanCommand): Promise<CommandResult> => {
  const { file, source, as, phase, tier, minConfidence } = command;
  const only = chosen(command.packs);
  const material = materialOf(source, as);
  const { findings, characters, isCutShort } = await scanValue({
    value: material.value,
    phase,
    tier,
    only,
    minConfidence,
  });
  const lineOf = linesOf(material);
  const exitCode = findings.length > 0 || isCutShort ? ExitCode.no : ExitCode.done;
  if (command.format === "sarif") {
    const sarif = sarifOf({ file, findings, lineOf, notesOf });
    return { exitCode, lines: [JSON.stringify(sarif, null, 2)], json: sarif };
  }
  const told = findings.map((finding) => ({ ...finding, ...(lineOf(finding.place, finding.start) ?? {}) }));
  const lines = told.map(({ pack, class: found, place, confidence, ...at }) => {
    const where = "line" in at ? `${file}:${at.line}:${at.column}` : file;
    return `${where}: ${place === "" ? "" : `${safeName(place)}: `}${pack} ${found}, confidence ${confidence.toFixed(2)}`;
  });
  lines.push(`${counted(findings.length)} in ${characters} characters, read as ${material.kind}`);
  if (isCutShort) lines.push("it has more members than are looked at: what lies beyond was not scanned");
  return {
    exitCode,
    lines,
    json: {
      ok: exitCode === ExitCode.done,
      file,
      kind: material.kind,
      characters,
      is_cut_short: isCutShort,
      findings: told,
    },
  };
};

const counted = (count: number): string =>
  count === 0 ? "nothing found" : `${count} finding${count === 1 ? "" : "s"}`;

const chosen = (names: readonly string[]): readonly PackId[] | null => {
  if (names.length === 0) return null;
  const ids = scanningPacks().map(({ id }) => id);
  return names.map((name) => {
    const id = ids.find((known) => known === name);
    if (id === undefined)
      throw new Refusal(ExitCode.refused, `no pack ${safeName(name)} looks at text; ${ids.join(", ")} do`);
    return id;
  });
};

const notesOf = (id: string) => {
  const pack = scanningPacks().find((known) => known.id === id);
  if (pack === undefined) throw new Refusal(ExitCode.refused, `no pack ${safeName(id)}`);
  return pack.notes;
};
