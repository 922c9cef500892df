import { describe, expect, it } from "vitest";
import { tally, type VitestReport } from "../../scripts/setup/tally.mjs";

const report = (over: Partial<VitestReport>): VitestReport => ({
  numTotalTests: 3,
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
  ...over,
});

describe("the last line of npm test", () => {
  it("counts what passed", () => {
    expect(tally([], { exitCode: 0, report: report({}) })).toEqual({ passed: 3, failed: 0, remarks: [] });
  });

  it("counts a failed test", () => {
    const told = tally([], { exitCode: 1, report: report({ numPassedTests: 2, numFailedTests: 1 }) });
    expect(told).toEqual({ passed: 2, failed: 1, remarks: [] });
  });

  it("counts a failed check beside the tests", () => {
    const told = tally(["types: tsc --noEmit failed"], { exitCode: 0, report: report({}) });
    expect(told.failed).toBe(1);
    expect(told.remarks).toEqual(["types: tsc --noEmit failed"]);
  });

  it("counts a file that did not load, which has no failed test in it", () => {
    const testResults = [{ name: "a.test.ts", status: "failed", assertionResults: [] }];
    const told = tally([], { exitCode: 1, report: report({ testResults }) });
    expect(told.failed).toBe(1);
    expect(told.remarks).toEqual(["tests: a.test.ts did not run"]);
  });

  it("counts a file with a failed test once", () => {
    const testResults = [{ name: "a.test.ts", status: "failed", assertionResults: [{ status: "failed" }] }];
    expect(tally([], { exitCode: 1, report: report({ numFailedTests: 1, testResults }) }).failed).toBe(1);
  });

  it("counts skipped and to-do tests as failed", () => {
    expect(tally([], { exitCode: 0, report: report({ numPendingTests: 1, numTodoTests: 1 }) }).failed).toBe(2);
  });

  it("counts an error outside of any test", () => {
    expect(tally([], { exitCode: 1, report: report({}) }).failed).toBe(1);
  });

  it("fails when there is no report", () => {
    expect(tally([], { exitCode: 137, report: undefined })).toMatchObject({ passed: 0, failed: 1 });
  });
});
