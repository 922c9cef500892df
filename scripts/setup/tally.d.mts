/** What this project reads of vitest's JSON report. */
export interface VitestReport {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** One line for each thing that failed beside a named test. */
  readonly remarks: readonly string[];
}

export function tally(
  failedChecks: readonly string[],
  vitest: { readonly exitCode: number; readonly report: VitestReport | undefined },
): Tally;
