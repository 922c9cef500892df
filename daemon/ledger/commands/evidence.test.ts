import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import { generateKeyPair } from "../../keys/private-key.ts";
import { openReceiptReader } from "../../store/sqlite/read-receipts.ts";
import { tamper } from "../../store/sqlite/test-pages.ts";
import type { ReceiptRow } from "../../store/store.ts";
import { originOf, signCheckpoint } from "../checkpoints/checkpoint.ts";
import { signedNoteText } from "../checkpoints/signed-note.ts";
import { receiptHash } from "../hash.ts";
import { control, decision } from "../test-records.ts";
import { openAt, temporaryDirectory, temporaryState } from "../test-state.ts";
import { nothingGiven } from "../verification/test-given.ts";
import { checkProof, checkStored } from "./check.ts";
import { claims } from "./claims.ts";
import { erase } from "./erase.ts";
import type { CommandOutput } from "./output.ts";

const jsonOf = async ({ lines }: CommandOutput) => {
  for await (const line of lines) return JSON.parse(line);
};
const linesOf = async ({ lines }: CommandOutput): Promise<string[]> => {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
};

const directory = temporaryDirectory;
const blocked = { verdict: "BLOCK", code: "rule_blocked" } as const;

/** A control receipt, the call `c-1`, a refused call of the same, one of another principal, and a result of each. */
const written = () => {
  const state = temporaryState();
  const ledger = openAt(state);
  ledger.appendControl(control());
  ledger.append([
    decision(),
    decision({ call_id: "c-2", ...blocked }),
    decision({ call_id: "c-3", principal: "other" }),
  ]);
  ledger.append([decision({ phase: "result" }), decision({ phase: "result", principal: "other" })]);
  ledger.settle();
  ledger.close();
  return { state, place: { state: state.path, store: "sqlite" } };
};

const contextFile = (context: object): string => {
  const path = join(directory(), "context.json");
  writeFileSync(path, JSON.stringify(context));
  return path;
};

const context = {
  action: "refund",
  principal: "agent-7",
  call_id: "c-1",
  arguments: { amount: 100, order_id: "ORD-1" },
};
const options = (given: object = context, json = true) => ({
  ...nothingGiven,
  context: contextFile(given),
  json,
  progress: () => {},
});

describe("check", () => {
  test("the receipt of this call is verified; of another it is told which field differs", async () => {
    const { place } = written();
    const verified = await checkStored(place, 2, options());
    expect([verified.exitCode, await jsonOf(verified)]).toEqual([
      ExitCode.done,
      { answer: "verified", field: null, finding: null, seq: 2 },
    ]);
    const other = await checkStored(place, 3, options());
    expect([other.exitCode, await jsonOf(other)]).toEqual([
      ExitCode.no,
      { answer: "context_mismatch", field: "call_id", finding: null, seq: 3 },
    ]);
    expect(await checkStored(place, 3, options(context, false))).toMatchObject({
      exitCode: ExitCode.no,
      error: "receipt 3: context_mismatch: call_id (the receipt is of another call)",
    });
  });

  test("half a context, a receipt that is not there, and one of the daemon itself are not verified", async () => {
    const { place } = written();
    const { arguments: _args, ...half } = context;
    expect(await jsonOf(await checkStored(place, 2, options(half)))).toMatchObject({
      answer: "context_incomplete",
      field: "arguments",
    });
    expect(await jsonOf(await checkStored(place, 99, options()))).toMatchObject({ answer: "record_not_found" });
    expect(await jsonOf(await checkStored(place, 1, options()))).toMatchObject({ answer: "record_not_found" });
  });

  test("out of a chain that is not whole nothing is verified, whatever fits", async () => {
    const { state, place } = written();
    tamper(state, (row) => (row.seq === 5 ? { ...row, receipt: row.receipt.replace("agent-7", "agent-8") } : row));
    const output = await checkStored(place, 2, options());
    expect([output.exitCode, await jsonOf(output)]).toEqual([
      ExitCode.no,
      { answer: "chain_failed", field: null, finding: { seq: 5, problem: "edited" }, seq: 2 },
    ]);
    expect((await checkStored(place, 2, options(context, false))).error).toContain("receipt 5: edited");
  });

  test("once the salt is erased the arguments cannot be opened, and the commitment still fits", async () => {
    const { place } = written();
    expect((await erase(place, 2, null)).exitCode).toBe(ExitCode.done);
    expect(await jsonOf(await checkStored(place, 2, options()))).toMatchObject({
      answer: "context_incomplete",
      field: "salt",
    });
  });

  test("a file that is no context, and a proof without a key, are refused", async () => {
    const { place } = written();
    await expect(checkStored(place, 2, options({ acton: "refund" }))).rejects.toThrow("is no context: it has keys");
    await expect(checkStored(place, 2, { ...options(), context: "/nowhere/c.json" })).rejects.toThrow(Refusal);
    await expect(checkProof("/nowhere/p.json", options())).rejects.toThrow("a proof needs --key");
  });
});

describe("claims", () => {
  test("that something ran is not hidden by taking its receipts away: a gap, another link, an end before a checkpoint", async () => {
    const taken = async (change: Parameters<typeof tamper>[1], size = 0): Promise<string | null> => {
      const { state, place } = written();
      tamper(state, change);
      if (size > 0) {
        const key = generateKeyPair();
        const reader = openReceiptReader(state);
        const note = signCheckpoint({ origin: originOf(reader.chain), size, root: new Uint8Array(32) }, key);
        reader.close();
        writeFileSync(state.checkpointPath, signedNoteText(note), { mode: 0o600 });
      }
      const { exitCode, error } = await claims(place, { seq: 2 }, true);
      expect(exitCode).toBe(error === null ? ExitCode.done : ExitCode.no);
      return error;
    };
    expect(await taken((row) => row)).toBeNull();
    expect(await taken((row) => (row.seq === 5 ? null : row))).toContain("receipt 5: malformed");
    expect(await taken((row) => (row.seq === 3 || row.seq === 4 ? null : row))).not.toBeNull();
    const relabelled = (text: string): string => text.replace('"principal":"agent-7"', '"principal":"agent-8"');
    const changed = (row: ReceiptRow): ReceiptRow => ({ ...row, receipt: relabelled(row.receipt) });
    expect(
      await taken((row) => (row.seq === 5 ? { ...changed(row), hash: receiptHash(changed(row).receipt) } : row)),
    ).toContain("receipt 6: unlinked");
    expect(await taken((row) => (row.seq >= 5 ? null : row), 6)).toContain("receipt 4: truncated");
    expect(await taken((row) => row, 6)).toBeNull();
  });
  test("what ran, and what was refused, after one receipt: of its action and its principal", async () => {
    const { place } = written();
    const answer = await jsonOf(await claims(place, { seq: 2 }, true));
    expect(answer).toMatchObject({
      seq: 2,
      decided: { verdict: "ALLOW", code: "allowed" },
      observed: null,
      executed_after: {
        ran: true,
        executed: { let_run: 0, reported: 1 },
        blocked_attempts: 1,
        other: 0,
        first: 3,
        last: 5,
      },
    });
    expect(await linesOf(await claims(place, { seq: 5 }, false))).toContain(
      "executed after we knew: no (0 let run, 0 results reported)",
    );
  });

  test("by a call id, the newest receipt that decided it; its result is none", async () => {
    const { place } = written();
    expect(await jsonOf(await claims(place, { call_id: "c-1" }, true))).toMatchObject({ seq: 2 });
    expect(await claims(place, { call_id: "c-9" }, true)).toMatchObject({ exitCode: ExitCode.refused });
  });

  test("more than a thousand later receipts are all counted", async () => {
    const state = temporaryState();
    const ledger = openAt(state);
    ledger.append([decision(blocked)]);
    for (let group = 0; group < 12; group++) ledger.append(Array.from({ length: 100 }, () => decision()));
    ledger.close();
    const answer = await jsonOf(await claims({ state: state.path, store: "sqlite" }, { seq: 1 }, true));
    expect(answer.executed_after).toMatchObject({ executed: { let_run: 1200 }, first: 2, last: 1201 });
  });

  test("no such receipt, one of the daemon itself, and a damaged one are no answer", async () => {
    const { state, place } = written();
    expect(await claims(place, { seq: 99 }, true)).toMatchObject({ exitCode: ExitCode.refused });
    expect(await claims(place, { seq: 1 }, true)).toMatchObject({ exitCode: ExitCode.refused });
    tamper(state, (row) => (row.seq === 4 ? { ...row, receipt: row.receipt.replace("other", "agent-7") } : row));
    expect(await claims(place, { seq: 2 }, true)).toMatchObject({
      exitCode: ExitCode.no,
      error: expect.stringContaining("receipt 4: edited"),
    });
    expect(await claims({ state: temporaryState().path, store: "sqlite" }, { seq: 1 }, true)).toMatchObject({
      exitCode: ExitCode.storeUnavailable,
    });
  });
});
