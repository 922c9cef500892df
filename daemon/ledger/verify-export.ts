import type { Head } from "../store/store.ts";
import { isCheckpointLine, readCheckpointLine, readEnd, readHeader, readReceiptLine } from "./export-format.ts";
import { exportLines, NotLines } from "./export-lines.ts";
import type { LogVerdict } from "./verification/findings.ts";
import { type LogExpectations, LogWalk } from "./verification/log-walk.ts";
import { beforeFirst, type ChainFinding } from "./verify.ts";

export interface ExportExpectations extends LogExpectations {
  /** Null takes the chain that the header names. */
  readonly chain: string | null;
}

/** Verifies an export of which the lines come one by one. After a finding it is over. */
class ExportWalk {
  readonly #expect: ExportExpectations;
  /** Null before the header. */
  #log: LogWalk | null = null;
  #hasTree = false;
  /** The head that the end names. */
  #end: Head | null = null;

  constructor(expect: ExportExpectations) {
    this.#expect = expect;
  }

  take(line: string): ChainFinding | null {
    if (this.#log === null) return this.#header(line);
    if (this.#end !== null) return this.here("after_end");
    this.#end = readEnd(line);
    if (this.#end !== null) return null;
    if (this.#hasTree && isCheckpointLine(line)) return this.#log.checkpoint(readCheckpointLine(line));
    const row = readReceiptLine(line);
    return row === null ? this.here("malformed") : this.#log.receipt(row, null);
  }

  end(): ChainFinding | null {
    if (this.#log === null) return this.here("no_header");
    const { seq, hash } = this.#log.head;
    return this.#end?.seq === seq && this.#end.hash === hash ? this.#log.end() : this.here("no_end");
  }

  /** Where the next receipt would stand. */
  here(problem: ChainFinding["problem"]): ChainFinding {
    return { seq: (this.#log?.head.seq ?? 0) + 1, problem };
  }

  get receipts(): number {
    return this.#log?.receipts ?? 0;
  }

  verdict(finding: ChainFinding | null): LogVerdict {
    const nothing = new LogWalk({ chain: "", after: beforeFirst, frontier: null }, this.#expect);
    return (this.#log ?? nothing).verdict(finding);
  }

  #header(line: string): ChainFinding | null {
    const header = readHeader(line);
    if (header === null) return this.here("no_header");
    this.#log = new LogWalk(header, this.#expect);
    this.#hasTree = header.v === 2;
    if (this.#expect.chain !== null && header.chain !== this.#expect.chain) return this.here("wrong_chain");
    return this.#log.begin();
  }
}

/**
 * Verifies an export by itself. The header and the end are the exporter's word: they show an export that was cut off or
 * put together wrongly, and prove nothing against somebody who writes them anew. What is given in `expect` does.
 */
export const verifyExport = async (
  chunks: AsyncIterable<Uint8Array>,
  expect: ExportExpectations,
  progress: (receipts: number) => void,
): Promise<LogVerdict> => {
  const walk = new ExportWalk(expect);
  try {
    for await (const line of exportLines(chunks)) {
      const finding = walk.take(line);
      if (finding !== null) return walk.verdict(finding);
      if (walk.receipts % 65_536 === 0 && walk.receipts > 0) progress(walk.receipts);
    }
  } catch (error) {
    if (error instanceof NotLines) return walk.verdict(walk.here("malformed"));
    throw error;
  }
  return walk.verdict(walk.end());
};
