/**
 * Counts what a run of the tests came to, from vitest's JSON report.
 *
 * @param {readonly string[]} failedChecks one line for each check beside the tests that failed
 * @param {{exitCode: number, report: import("./tally.d.mts").VitestReport | undefined}} vitest
 * @returns {import("./tally.d.mts").Tally}
 */
export const tally = (failedChecks, { exitCode, report }) => {
  const remarks = [...failedChecks];
  if (report === undefined) {
    remarks.push(`tests: vitest ended with code ${exitCode} and wrote no report`);
    return { passed: 0, failed: remarks.length, remarks };
  }
  let failedTests = report.numFailedTests;
  for (const file of report.testResults) {
    const named = file.assertionResults.some((test) => test.status === "failed");
    if (file.status !== "failed" || named) continue;
    failedTests += 1;
    remarks.push(`tests: ${file.name} did not run`);
  }
  const unrun = report.numPendingTests + report.numTodoTests;
  if (unrun > 0) remarks.push(`tests: ${unrun} skipped or to do; a test that does not run counts as failed`);
  if (report.numTotalTests === 0) remarks.push("tests: none were found");
  let failed = failedChecks.length + failedTests + unrun;
  if (exitCode !== 0 && failed === 0) {
    failed = 1;
    remarks.push(`tests: vitest ended with code ${exitCode} although no test failed`);
  }
  return { passed: report.numPassedTests, failed, remarks };
};
