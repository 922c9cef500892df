import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { RawConnection } from "../../conformance/replay/raw-connection.ts";
import { type Daemon, interlock, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { rule } from "../kit/rules.ts";

const resultRule = (id: string, body: string): string => `{
  id: ${JSON.stringify(id)}, actions: [${JSON.stringify(id)}], phase: "result",
  evaluate(event) { if (event.args.example === true) return undefined; ${body} },
  examples: [{ event: { action: ${JSON.stringify(id)}, phase: "result", args: { example: true } }, expect: "silent" }],
}`;

/** Rules that do with a value whatever a careless author might. */
const module = `import { allow, block, defineRules, escalate, rewrite, rewriteResult } from "interlock/rules";
import { defineTool, z } from "interlock/contracts";
export default defineRules({
  id: "careless",
  version: 1,
  tools: [defineTool({ name: "pay", effect: "write", args: z.strictObject({ card: z.string().max(99), to: z.number() }) })],
  rules: [
    ${rule("quotes", "return block('it is ' + event.args.value, { attributedTo: String(event.args.value) });")},
    ${rule("throws", "throw new TypeError(String(event.args.value));")},
    ${rule("rejects", "throw new TypeError(String(event.args.value));", { async: true })},
    ${rule("asks", "return escalate('shall it be ' + event.args.value);")},
    ${rule("rewrites", "if (!String(event.args.value).endsWith('!')) return rewrite({ value: event.args.value + '!' }, { reason: 'was ' + event.args.value });")},
    ${rule("attributes", "return block('no', { attributedTo: 'in ' + event.args.value });")},
    ${resultRule("answers", "return block('it answered ' + event.args.result);")},
    ${resultRule("redacts", "return rewriteResult({ instead: 'not ' + event.args.result });")},
  ],
});
`;

let daemon: Daemon | null = null;
afterEach(async () => {
  await daemon?.stop();
  daemon = null;
});

/** Everything that the daemon wrote on disk. */
const filesOf = ({ state }: Place): string =>
  readdirSync(state, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");

const secret = (name: string): string => `s3cret.${name}#9f2c`;

const asked = async (place: Place, frames: readonly object[]): Promise<readonly string[]> => {
  const connection = await RawConnection.open(place.socket);
  const answers: string[] = [];
  for (const frame of frames) {
    connection.send(Buffer.from(`${JSON.stringify(frame)}\n`));
    answers.push((await connection.line(10_000)).toString());
  }
  return answers;
};

const features = ["call_id", "details", "escalate", "escape", "grade", "replace_args", "replay", "resend"];

test("no value of an argument, a result, a rewrite or a credential is in the ledger, in its files or in what is said", async () => {
  const place = await makePlace(module);
  daemon = await startDaemon(place);
  let count = 0;
  const call = (action: string, args: object, more: object = {}): object => ({
    event: { action, args, ...more },
    id: `r-${++count}`,
    v: 1,
  });
  const hello = (more: object): object => ({ hello: { client: "kit/1", features, ...more }, id: "h", v: 1 });
  const valued = ["quotes", "throws", "rejects", "asks", "rewrites", "attributes", "unknown"];
  const answers = await asked(place, [
    hello({ nonce: secret("nonce") }),
    ...valued.map((action) => call(action, { value: secret(action) }, { grade: "sync/monitor" })),
    call("quotes", { value: secret("deep"), deep: [{ deeper: secret("deeper") }], [secret("key")]: 1 }),
    call("pay", { card: secret("card"), to: secret("wrong-type") }, { call_id: "c-1" }),
    call("pay", { card: secret("card").repeat(9), to: 1, [secret("extra")]: secret("extra-value") }),
    call("pay", { card: secret("paid"), to: 1 }, { call_id: "c-2" }),
    call("pay", { result: secret("receipt") }, { phase: "result", call_id: "c-2" }),
    call("answers", { result: secret("answers") }, { phase: "result" }),
    call("redacts", { result: secret("redacts") }, { phase: "result" }),
    // Refused where it is read, and not recorded.
    call("plain", {}, { grade: secret("grade") }),
    call("plain", {}, { phase: secret("phase") }),
    call("plain", {}, { ts: secret("ts") }),
    call("plain", {}, { identity: secret("identity") }),
    call("plain", {}, { [secret("event-key")]: 1 }),
    { resume: { approval_id: secret("approval"), call_id: "c-3" }, id: "resume", v: 1 },
  ]);
  const byToken = await asked(place, [hello({ nonce: "another-nonce-of-some-length", token: secret("token") })]);
  expect(answers).toHaveLength(1 + valued.length + 7 + 5 + 1);
  // Everything that could be recorded was.
  const receipts = await receiptsOf(place);
  const decisions = receipts.filter(({ kind }) => kind === "decision");
  expect(decisions).toHaveLength(valued.length + 8);
  expect(decisions.map(({ action, code }) => `${action} ${code}`)).toEqual(
    expect.arrayContaining([
      "quotes rule_blocked",
      "throws rule_threw",
      "rejects rule_threw",
      "asks escalated",
      "rewrites rewritten",
      "attributes rule_blocked",
      "pay evidence_failed",
      "pay allowed",
      "answers rule_blocked",
      "redacts rewritten",
      "interlock.resume approval_missing",
    ]),
  );
  const shown = await interlock(place, ["receipts", "tail", "-n", "1000"]);
  const exported = await interlock(place, ["receipts", "export"]);
  const said = daemon.stderr();
  await daemon.stop();
  for (const text of [JSON.stringify(receipts), shown.stdout, exported.stdout, said, filesOf(place), ...byToken]) {
    expect(text).not.toContain("s3cret");
  }
});

test("a name that a client chooses is recorded as it was sent", async () => {
  const place = await makePlace(module);
  daemon = await startDaemon(place);
  await asked(place, [
    { hello: { client: "the client", features, nonce: "a-nonce-of-some-length" }, id: "h", v: 1 },
    {
      event: {
        action: "the action",
        args: {},
        principal: "the principal",
        parent_principal: "the parent",
        span_id: "the span",
        call_id: "the call",
        grade: "async/enforce",
      },
      id: "the request",
      v: 1,
    },
  ]);
  expect((await receiptsOf(place)).at(-1)).toMatchObject({
    client: "the client",
    action: "the action",
    principal: "the principal",
    parent_principal: "the parent",
    span_id: "the span",
    call_id: "the call",
    grade: "async/enforce",
    request: "the request",
  });
});
