import type { Finding } from "../../rules/packs/finding.ts";
import type { PackNotes } from "../../rules/packs/pack.ts";
import { daemonVersion } from "../version.ts";
import type { LineOf } from "./lines.ts";

export interface SarifSource {
  /** As it was given; `-` is standard input. */
  readonly file: string;
  readonly findings: readonly Finding[];
  readonly lineOf: LineOf;
  readonly notesOf: (pack: string) => PackNotes;
}

/** SARIF 2.1.0 (OASIS), as code scanning services take it. It holds places and classes, never what was found. */
export const sarifOf = ({ file, findings, lineOf, notesOf }: SarifSource): { readonly [name: string]: unknown } => {
  const ids = [...new Set(findings.map(ruleIdOf))].sort();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "interlock",
            version: daemonVersion,
            rules: ids.map((id) => ({ id, shortDescription: { text: notesOf(id.split("/")[0] as string).title } })),
          },
        },
        columnKind: "utf16CodeUnits",
        results: findings.map((finding) => resultOf(finding, file, lineOf, ids)),
      },
    ],
  };
};

const ruleIdOf = ({ pack, class: found }: Finding): string => `${pack}/${found}`;

const resultOf = (finding: Finding, file: string, lineOf: LineOf, ids: readonly string[]) => {
  const start = lineOf(finding.place, finding.start);
  const where = finding.place === "" ? "the text" : finding.place;
  return {
    ruleId: ruleIdOf(finding),
    ruleIndex: ids.indexOf(ruleIdOf(finding)),
    level: levelOf(finding.confidence),
    message: { text: `${finding.class} in ${where}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: file === "-" ? "stdin" : encodeURI(file) },
          region: start === null ? { startLine: 1 } : { startLine: start.line, startColumn: start.column },
        },
        ...(finding.place === "" ? {} : { logicalLocations: [{ fullyQualifiedName: finding.place }] }),
      },
    ],
    properties: { confidence: finding.confidence },
  };
};

const levelOf = (confidence: number): "error" | "warning" | "note" =>
  confidence >= 0.9 ? "error" : confidence >= 0.5 ? "warning" : "note";
