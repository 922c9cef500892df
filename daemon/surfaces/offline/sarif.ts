import type { LineOf } from "../../scan/lines.ts";
import { daemonVersion } from "../../version.ts";
import type { Finding, Severity, SurfaceDrift } from "../finding.ts";
import { shownName } from "../shown-name.ts";
import { type ItemRef, itemKey } from "../surface.ts";

export interface SarifSource {
  /** As it was given; `-` is standard input. */
  readonly file: string;
  readonly drift: SurfaceDrift;
  readonly places: ReadonlyMap<string, string>;
  readonly lineOf: LineOf;
}

interface Told {
  readonly item: ItemRef | null;
  readonly finding: Finding;
}

const told = ({ findings, items }: SurfaceDrift): readonly Told[] => [
  ...findings.map((finding) => ({ item: null, finding })),
  ...items.flatMap((item) => item.findings.map((finding) => ({ item, finding }))),
];

/** SARIF 2.1.0 (OASIS) as `interlock scan` has it: places and types of findings, never text out of a definition. */
export const driftSarif = ({ file, drift, places, lineOf }: SarifSource): { readonly [name: string]: unknown } => {
  const all = told(drift);
  const ids = [...new Set(all.map(({ finding }) => `drift/${finding.type}`))].sort();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "interlock",
            version: daemonVersion,
            rules: ids.map((id) => ({
              id,
              shortDescription: { text: (id.split("/")[1] as string).replaceAll("_", " ") },
            })),
          },
        },
        columnKind: "utf16CodeUnits",
        results: all.map(({ item, finding }) => {
          const place = item === null ? null : (places.get(itemKey(item)) ?? null);
          const start = place === null ? null : lineIn(lineOf, place, finding.path);
          const name = item === null ? "server" : `${item.kind}:${shownName(item.name)}`;
          return {
            ruleId: `drift/${finding.type}`,
            ruleIndex: ids.indexOf(`drift/${finding.type}`),
            level: levelOf[finding.severity],
            message: { text: `${name}: ${finding.reason}` },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: file === "-" ? "stdin" : encodeURI(file) },
                  region: start === null ? { startLine: 1 } : { startLine: start.line, startColumn: start.column },
                },
                logicalLocations: [
                  { fullyQualifiedName: finding.path === null ? name : `${name}.${shownName(finding.path)}` },
                ],
              },
            ],
            properties: { severity: finding.severity },
          };
        }),
      },
    ],
  };
};

/** Of the member, else of the item that it is in. */
const lineIn = (lineOf: LineOf, place: string, path: string | null) =>
  (path === null ? null : lineOf(`${place}.${path}`, 0)) ?? lineOf(place, 0);

const levelOf: Readonly<Record<Severity, "error" | "warning" | "note">> = Object.freeze({
  none: "note",
  minor: "note",
  moderate: "warning",
  high: "error",
  critical: "error",
});
