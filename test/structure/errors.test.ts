import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { fallbackRefusals } from "../../client-node/fallback/refusal.ts";
import { signedFileRefusals } from "../../client-node/signed-file.ts";
import { reasonCodes } from "../../daemon/engine/reason-codes.ts";
import { ExitCode } from "../../daemon/exit-codes.ts";
import { policyRefusals } from "../../daemon/fallback/refusal.ts";
import { documentRefusals } from "../../daemon/keys/document-refused.ts";
import { keyRefusals } from "../../daemon/keys/key-error.ts";
import { operatorRefusals } from "../../daemon/operator/refusal.ts";
import { ruleSetRefusals } from "../../daemon/rulesets/refusal.ts";
import { scopeProblems } from "../../daemon/scopes/refusal.ts";
import { storeRefusals } from "../../daemon/store/refused.ts";
import { wireErrorCodes } from "../../wire/errors.ts";

const page = readFileSync(fileURLToPath(new URL("../../docs/errors.md", import.meta.url)), "utf8");

/** The rows of the table below a heading: first cell without backticks, second as it is. */
const tableUnder = (heading: string): Record<string, string> => {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| code"));
  return Object.fromEntries(
    rows.map((row) => {
      const [code, meaning] = row.slice(2, -2).split(" | ");
      return [code?.replaceAll("`", ""), meaning];
    }),
  ) as Record<string, string>;
};

describe("docs/errors.md lists exactly what the code can say", () => {
  const catalogues: readonly [heading: string, catalogue: Readonly<Record<string, string>>][] = [
    ["Error frames", wireErrorCodes],
    ["Reason codes", reasonCodes],
    ["Rule sets refused", ruleSetRefusals],
    ["Keys refused", keyRefusals],
    ["Signed documents refused", documentRefusals],
    ["Scope documents refused", scopeProblems],
    ["Signed files refused by a client", signedFileRefusals],
    ["Store refused", storeRefusals],
    ["Operators refused", operatorRefusals],
    ["Fallback refused", fallbackRefusals],
    ["Fallback policies refused", policyRefusals],
  ];
  for (const [heading, catalogue] of catalogues) {
    it(heading, () => expect(tableUnder(heading)).toEqual(catalogue));
  }

  it("Exit codes", () => {
    expect(Object.keys(tableUnder("Exit codes"))).toEqual(Object.values(ExitCode).map(String));
    expect(Object.values(ExitCode)).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
