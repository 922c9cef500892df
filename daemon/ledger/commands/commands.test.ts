import { createReadStream, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { tamper } from "../../store/sqlite/test-pages.ts";
import type { StateDirectory } from "../../store/state-directory.ts";
import { control, decision } from "../test-records.ts";
import { openAt, temporaryDirectory, temporaryState } from "../test-state.ts";
import { exportAll, nothingGiven } from "../verification/test-given.ts";
import { erase } from "./erase.ts";
import { exportReceipts } from "./export.ts";
import { CommandFailed, type CommandOutput } from "./output.ts";
import { printable, receiptSummary } from "./receipt-line.ts";
import { show } from "./show.ts";
import { tail } from "./tail.ts";
import { verify, verifyExportFile } from "./verify.ts";

const linesOf = async ({ lines }: CommandOutput): Promise<string[]> => {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
};

/** A ledger of one control receipt and three decisions, and the daemon still running. */
const running = (): { state: StateDirectory; ledger: ReturnType<typeof openAt> } => {
  const state = temporaryState();
  const ledger = openAt(state);
  ledger.appendControl(control());
  ledger.append([decision({ request: "r-1" }), decision({ request: "r-2", principal: "evil\u001b[2J" })]);
  ledger.append([
    decision({ request: "r-3", verdict: "BLOCK", code: "rule_blocked", reason: "no", attributed_to: "x" }),
  ]);
  return { state, ledger };
};

const edit = (state: StateDirectory, seq: number, from: string, to: string): void =>
  tamper(state, (row) => (row.seq === seq ? { ...row, receipt: row.receipt.replace(from, to) } : row));

const at = (state: string) => ({ state, store: "sqlite" });

const quiet = { ...nothingGiven, json: false, progress: () => {} };
const once = { count: 10, follow: false, json: false, signal: new AbortController().signal };

describe("tail", () => {
  test("shows the newest receipts, oldest first, beside a running daemon", async () => {
    const { state, ledger } = running();
    const lines = await linesOf(await tail(at(state.path), { ...once, count: 3 }));
    expect(lines).toEqual([
      '2 2025-10-09T08:53:20.000Z ALLOW refund call by agent-7? allowed refunds.owner "every rule is satisfied"',
      '3 2025-10-09T08:53:20.000Z ALLOW refund call by "evil\\u001b[2J"? allowed refunds.owner "every rule is satisfied"',
      "4 2025-10-09T08:53:20.000Z BLOCK refund call by agent-7? rule_blocked refunds.owner no",
    ]);
    expect((await linesOf(await tail(at(state.path), once)))[0]).toBe(
      '1 2025-10-09T08:53:20.000Z CONTROL started "2 rule sets"',
    );
    const [line = ""] = await linesOf(await tail(at(state.path), { ...once, count: 1, json: true }));
    expect(JSON.parse(line).receipt.request).toBe("r-3");
    ledger.close();
  });

  test("follows what is written, until it is told to stop", async () => {
    const { state, ledger } = running();
    const stop = new AbortController();
    const output = await tail(at(state.path), { count: 0, follow: true, json: true, signal: stop.signal });
    setTimeout(() => ledger.append([decision({ request: "later-1" }), decision({ request: "later-2" })]), 50);
    const seen: string[] = [];
    for await (const line of output.lines) {
      seen.push(JSON.parse(line).receipt.request);
      if (seen.length === 2) stop.abort();
    }
    expect(seen).toEqual(["later-1", "later-2"]);
    ledger.close();
  });

  test.each([-1, 1.5, Number.NaN])("a count of %s is refused", async (count) => {
    expect(await tail(at(temporaryDirectory()), { ...once, count })).toMatchObject({ exitCode: 2 });
  });
});

describe("show", () => {
  test("one receipt in full, its salt only when it is asked for", async () => {
    const { state, ledger } = running();
    const lines = await linesOf(await show(at(state.path), 4, { json: false, salt: false }));
    expect(lines).toContain("attributed_to: x");
    expect(lines).toContain("verdict: BLOCK");
    expect(lines.join()).not.toContain("salt");
    const [json = ""] = await linesOf(await show(at(state.path), 4, { json: true, salt: true }));
    expect(JSON.parse(json)).toMatchObject({ receipt: { seq: 4 }, salt: expect.stringMatching(/^[0-9a-f]{32}$/) });
    ledger.close();
  });

  test.each([0, 5, -1, 1.5, Number.NaN])("receipt %s does not exist", async (seq) => {
    const { state, ledger } = running();
    expect(await show(at(state.path), seq, { json: false, salt: false })).toMatchObject({
      exitCode: 2,
      error: `there is no receipt ${seq}; the newest is 4`,
    });
    ledger.close();
  });

  test("a damaged receipt is not shown as one", async () => {
    const { state, ledger } = running();
    ledger.close();
    edit(state, 4, "BLOCK", "ALLOW");
    expect(await show(at(state.path), 4, { json: false, salt: false })).toMatchObject({ exitCode: 1 });
    tamper(state, (row) => (row.seq === 4 ? { ...row, receipt: "{}" } : row));
    expect(await show(at(state.path), 4, { json: false, salt: false })).toMatchObject({ exitCode: 1 });
  });
});

describe("verify", () => {
  test("a whole chain, beside a running daemon, and against the head that it printed", async () => {
    const { state, ledger } = running();
    const first = await verify(at(state.path), quiet);
    expect(first.exitCode).toBe(0);
    expect(first.error).toContain("--expect-head");
    const expectHead = (await linesOf(first))[1]?.replace("head ", "") ?? "";
    ledger.append([decision()]);
    expect(await verify(at(state.path), { ...quiet, expectHead })).toMatchObject({ exitCode: 0, error: null });
    ledger.close();
    tamper(state, (row) => (row.seq >= 4 ? null : row));
    expect(await verify(at(state.path), quiet)).toMatchObject({ exitCode: 0 });
    expect(await verify(at(state.path), { ...quiet, expectHead })).toMatchObject({
      exitCode: 1,
      error: "receipt 3: truncated (the chain ends before a head or a checkpoint that is known)",
    });
  });

  test("a chain that was edited is named, in words and in JSON", async () => {
    const { state, ledger } = running();
    ledger.close();
    edit(state, 2, "r-1", "r-9");
    expect(await verify(at(state.path), quiet)).toMatchObject({
      exitCode: 1,
      error: "receipt 2: edited (the receipt's text does not have the hash that is stored with it)",
    });
    const json = await verify(at(state.path), { ...quiet, json: true });
    expect(json.exitCode).toBe(1);
    expect(JSON.parse((await linesOf(json))[0] ?? "")).toMatchObject({
      whole: false,
      finding: { seq: 2, problem: "edited" },
    });
  });

  test.each(["", "5", "5:00", `0:${"0".repeat(64)}`, `5:${"0".repeat(64)} `])(
    "the head %j is refused",
    async (expectHead) => {
      const given = { ...quiet, expectHead };
      await expect(verify(at(temporaryDirectory()), given)).rejects.toMatchObject({ exitCode: 2 });
      async function* none(): AsyncGenerator<Uint8Array> {}
      await expect(verifyExportFile(none(), { ...given, chain: null })).rejects.toMatchObject({ exitCode: 2 });
    },
  );
});

test.each(["", "/no-such-export"])("an export at %j that cannot be read is refused", async (name) => {
  const path = `${temporaryDirectory()}${name}`;
  const output = await verifyExportFile(createReadStream(path), { ...quiet, chain: null });
  expect(output).toMatchObject({
    exitCode: 2,
    error: expect.stringMatching(/^the export cannot be read \((EISDIR|ENOENT)\)$/),
  });
});

describe("export", () => {
  test("beside a running daemon, and what it writes verifies", async () => {
    const { state, ledger } = running();
    const lines = await linesOf(await exportReceipts(at(state.path), exportAll));
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(lines.map((line) => `${line}\n`).join(""));
    }
    const output = await verifyExportFile(chunks(), { ...quiet, chain: ledger.chain });
    expect(output.exitCode).toBe(0);
    expect((await linesOf(output))[0]).toContain("4 receipts");
    ledger.close();
  });

  test("stops without its last line at a receipt that does not verify", async () => {
    const { state, ledger } = running();
    ledger.close();
    edit(state, 3, "r-2", "r-9");
    const lines: string[] = [];
    const drain = async (): Promise<void> => {
      for await (const line of (await exportReceipts(at(state.path), exportAll)).lines) lines.push(line);
    };
    await expect(drain()).rejects.toThrow(
      new CommandFailed(1, "receipt 3: edited (the receipt's text does not have the hash that is stored with it)"),
    );
    expect(lines).toHaveLength(3);
  });

  test.each([0, -1, 1.5])("from %s is refused", async (from) => {
    expect(await exportReceipts(at(temporaryDirectory()), { ...exportAll, from })).toMatchObject({ exitCode: 2 });
  });

  test("from beyond the newest is refused", async () => {
    const { state, ledger } = running();
    await expect(linesOf(await exportReceipts(at(state.path), { ...exportAll, from: 9 }))).rejects.toMatchObject({
      exitCode: 2,
    });
    ledger.close();
  });
});

describe("erase", () => {
  test("takes the salt of one decision, once, and the chain stays whole", async () => {
    const { state, ledger } = running();
    expect(await erase(at(state.path), 2, null)).toMatchObject({
      exitCode: 5,
      error: expect.stringContaining("still in the journal"),
    });
    ledger.settle();
    expect((await erase(at(state.path), 2, null)).exitCode).toBe(0);
    expect(await erase(at(state.path), 2, null)).toMatchObject({
      exitCode: 2,
      error: "receipt 2 has no salt to erase",
    });
    const [json = ""] = await linesOf(await show(at(state.path), 2, { json: true, salt: true }));
    expect(JSON.parse(json).salt).toBeNull();
    expect((await verify(at(state.path), quiet)).exitCode).toBe(0);
    ledger.close();
  });

  test.each([1, 9, -1, 1.5])("receipt %s has none: a control receipt, or no receipt", async (seq) => {
    const { state, ledger } = running();
    expect(await erase(at(state.path), seq, null)).toMatchObject({ exitCode: 2 });
    ledger.close();
  });
});

describe("without a ledger every command says so, creates nothing, and ends with 5", () => {
  const commands: [string, (path: string) => Promise<CommandOutput>][] = [
    ["tail", (path) => tail(at(path), once)],
    ["show", (path) => show(at(path), 1, { json: false, salt: false })],
    ["verify", (path) => verify(at(path), quiet)],
    ["export", (path) => exportReceipts(at(path), exportAll)],
    ["erase", (path) => erase(at(path), 1, null)],
  ];
  test.each(commands)("%s", async (_name, run) => {
    const state = temporaryState();
    expect(await run(state.path)).toMatchObject({ exitCode: 5, error: `there is no ledger in ${state.path}` });
    rmSync(state.path, { recursive: true });
    expect(await run(state.path)).toMatchObject({ exitCode: 5, error: expect.stringContaining("ENOENT") });
  });
});

describe("names for a terminal", () => {
  test.each([
    ["plain", "plain"],
    ["", '""'],
    ["-", '"-"'],
    [null, "-"],
    ["two words", '"two words"'],
    ['"quoted"', '"\\"quoted\\""'],
    ["\u001b[2J", '"\\u001b[2J"'],
    ["a\u009bb", '"a\\u009bb"'],
    ["a\u202eb", '"a\\u202eb"'],
    ["a\u2066b\u200f", '"a\\u2066b\\u200f"'],
    ["über", '"über"'],
  ])("%j is shown as %s", (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  test("what is no receipt is shown as such", async () => {
    expect(receiptSummary(3, "{}")).toBe("3 malformed");
  });
});
