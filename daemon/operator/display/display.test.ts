import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mask } from "../../contracts/mask.ts";
import { approvalView } from "../approval-view.ts";
import { approvalId, MemoryPlane, need, transactionRow } from "../plane.testkit.ts";
import { approvalLine, voteLines } from "./approval-line.ts";
import { argumentsText } from "./arguments-text.ts";
import { quotedText, safeJson, safeName, safeText } from "./safe-text.ts";
import { spanText } from "./time-text.ts";
import { transactionLine } from "./transaction-line.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const acted = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2067\ufeff]/;

describe("text off an agent", () => {
  test.each<[name: string, text: string, shown: string]>([
    ["a line break", "a\nb\r", "a\\u{a}b\\u{d}"],
    ["an escape sequence", "\u001b[2K\u001b[1A", "\\u{1b}[2K\\u{1b}[1A"],
    ["a C1 control sequence", "\u009b31m", "\\u{9b}31m"],
    ["DEL and NUL", "\u007f\u0000", "\\u{7f}\\u{0}"],
    ["an override of direction", "\u202e0051\u202c", "\\u{202e}0051\\u{202c}"],
    ["an isolate that is not closed", "\u2067x", "\\u{2067}x"],
    [
      "joiners and fillers that are not seen",
      "a\u200bb\u2060c\u3164d\u00ade",
      "a\\u{200b}b\\u{2060}c\\u{3164}d\\u{ad}e",
    ],
    ["tags", "a\u{e0041}", "a\\u{e0041}"],
    ["a variation selector", "a\ufe0f", "a\\u{fe0f}"],
    ["separators of lines", "a\u2028b\u2029", "a\\u{2028}b\\u{2029}"],
    ["blanks that are no space", "a\u00a0b\u3000", "a\\u{a0}b\\u{3000}"],
    ["a lone surrogate", "a\ud800", "a\\u{d800}"],
    ["a private use sign", "\ue000", "\\u{e000}"],
    ["a mark on what is not the agent's", "\u0338x", "\\u{338}x"],
    ["marks that pile up", `a${"\u0301".repeat(5)}`, "a\u0301\u0301\u0301\\u{301}\\u{301}"],
    ["a run of spaces that ends a terminal's line", `a${" ".repeat(90)}b`, "a\\u{20}{90}b"],
    ["letters", "Zoë naïve 東京 हिन्दी", "Zoë naïve 東京 हिन्दी"],
  ])("%s", (_name, text, shown) => expect(safeText(text)).toBe(shown));

  test("that runs from right to left reorders nothing but itself", () => {
    expect(safeText("שלום 100")).toBe("\u2068שלום 100\u2069");
    expect(safeText("\u2069שלום")).toBe("\u2068\\u{2069}שלום\u2069");
  });

  test("cannot end its quotes, nor pass for a name", () => {
    expect(quotedText('x"; 9 of 9 yes')).toBe('"x\\"; 9 of 9 yes"');
    expect(quotedText('\\"')).toBe('"\\\\\\""');
    expect(safeName("refund")).toBe("refund");
    expect(safeName("refund; granted")).toBe('"refund; granted"');
    expect(safeName("")).toBe('""');
  });

  test("whatever it is, holds nothing that a terminal acts on; as JSON it reads back the same", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 50 }), (text) => {
        expect(safeText(text).replace(/^\u2068|\u2069$/g, "")).not.toMatch(acted);
        expect(safeJson({ text })).not.toMatch(acted);
        expect(JSON.parse(safeJson({ text }))).toEqual({ text });
      }),
    );
  });
});

describe("arguments", () => {
  test("that are kept from view cannot be written by an argument", () => {
    const { args, redacted } = mask({ a: { "b.c": "secret" }, b: "<redacted>", c: "(redacted)" }, ['a["b.c"]']);
    expect(argumentsText(args, redacted)).toBe('{"a": {"b.c": <redacted>}, "b": "<redacted>", "c": "(redacted)"}');
  });

  test("of every kind are in one line", () => {
    expect(argumentsText({ n: 1, t: true, z: null, l: ["a\n", {}], "k\u202e": "" }, [])).toBe(
      '{"n": 1, "t": true, "z": null, "l": ["a\\u{a}", {}], "k\\u{202e}": ""}',
    );
  });
});

describe("an approval in one line", () => {
  const plane = new MemoryPlane();
  const id = approvalId("one");
  const now_ms = plane.time_ms + 12_000;
  const line = (row: Parameters<MemoryPlane["ask"]>[0], args = {}, later_ms = 0): string =>
    approvalLine(approvalView(plane.ask(row, args), { args, redacted: [] }, now_ms + later_ms), now_ms + later_ms);

  test("says what will run, for whom, why, how long, and who said yes", () => {
    const needs = JSON.stringify([need({ roles: ["finance", "lead"], count: 2 }), need({ by: "client" })]);
    expect(line({ approval_id: id, needs, parent_principal: "boss" }, { amount: 1500, order: "ORD-42" })).toBe(
      `${id} pending: refund {"amount": 1500, "order": "ORD-42"} for "agent-1" of "boss"; because refunds over 500 need a person; asked 12 s ago, over in 59 min; 0 of 2 yes by finance or lead, 0 of 1 yes (its client may say yes too)`,
    );
  });

  test("says what became of it", () => {
    const granted = {
      status: "granted",
      decided_by: "operator:ann",
      scope: "once",
      granted_until_ms: now_ms + 60_000,
    } as const;
    expect(line({ approval_id: id, ...granted })).toContain(
      "; granted by operator:ann, for one run, until 1970-01-01T00:17:52.000Z (60 s)",
    );
    expect(line({ approval_id: id, ...granted, scope: "exact" })).toContain("for every run of exactly this");
    const votes = JSON.stringify([
      {
        operator: "ann",
        roles: [],
        time_ms: 1,
        scope: { kind: "shape", paths: ["customer"] },
        until_ms: null,
        note: "a\nb",
      },
    ]);
    expect(line({ approval_id: id, ...granted, scope: "shape", votes })).toContain("that has the same customer, until");
    expect(line({ approval_id: id, status: "denied", decided_by: "operator:ann" })).toContain(
      "; denied by operator:ann 19",
    );
    expect(line({ approval_id: id, status: "used", used_by: "tx_1" })).toContain("; granted, ran as tx_1");
    expect(line({ approval_id: id }, {}, 3_600_000)).toContain(`${id} expired: `);
    expect(voteLines(approvalView(plane.ask({ approval_id: id, votes }), "gone", now_ms))).toEqual([
      '  ann 1970-01-01T00:00:00.001Z: "a\\u{a}b"',
    ]);
  });

  test("is forged by nothing in it: one line, and what the agent chose stays in its quotes", () => {
    const hostile = fc.oneof(
      fc.string({ unit: "binary", maxLength: 30 }),
      fc.constantFrom(`"; granted by operator:ann`, `\n${id} granted: `, "\u202e", "\u001b[1A", "x\r\u001b[2K"),
    );
    fc.assert(
      fc.property(hostile, hostile, hostile, hostile, (action, principal, name, value) => {
        const shown = line({ approval_id: id, action, principal }, { [name]: value });
        expect(shown.replace(/[\u2068\u2069]/g, "")).not.toMatch(acted);
        // Without what stands in quotes nothing of it is left.
        const outside = shown.replace(/[\u2068\u2069]/g, "").replace(/"(?:[^"\\]|\\.)*"/g, '""');
        const known = `{"": ""} for ""; because refunds over 500 need a person; asked 12 s ago, over in 59 min; 0 of 1 yes`;
        expect(outside.endsWith(known)).toBe(true);
      }),
    );
  });

  test("says that arguments are long, or no longer kept", () => {
    const row = plane.ask({ approval_id: id });
    expect(approvalLine(approvalView(row, "long", now_ms), now_ms)).toContain(
      `(long arguments: interlock approvals show ${id})`,
    );
    expect(approvalLine(approvalView(row, "gone", now_ms), now_ms)).toContain("(arguments no longer kept)");
  });
});

test("a transaction in one line", () => {
  expect(
    transactionLine(
      transactionRow({ principal: "a\n", error_type: "TypeError", resumed_from: "tx_0", approval_id: "ap_1" }),
    ),
  ).toBe(
    `${transactionRow().transaction_id} unknown: refund (write) for "a\\u{a}"; call "call-1"; approval ap_1; resumes tx_0; error TypeError; 1970-01-01T00:00:00.003Z`,
  );
});

test("spans are rounded down", () => {
  expect([0, 119_999, 120_000, 7_199_999, 7_200_000, 172_800_000, -5].map(spanText)).toEqual([
    "0 s",
    "119 s",
    "2 min",
    "119 min",
    "2 h",
    "2 d",
    "0 s",
  ]);
});
