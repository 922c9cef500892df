import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { RawConnection } from "../../conformance/replay/raw-connection.ts";
import { type Daemon, interlock, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";

const module = `import { defineRules } from "interlock/rules";
import { standardPacks } from "interlock/rules/packs";
export default defineRules({
  id: "standard",
  version: 1,
  ...standardPacks({ roots: ["/home/user/project"], directory: "/home/user/project", packs: { secrets: { canaries: ["sha256:${createHash("sha256").update("Zebra-Umbrella-4417").digest("hex")}"] } } }),
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

const planted: string[] = [];
/** A token of its own for each place, so that what leaks says where from. */
const token = (place: string): string => {
  const text = `ghp_${(`${place.replace(/[^a-z]/gi, "")}A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8`).slice(0, 36)}`;
  planted.push(text);
  return text;
};
const password = (place: string): string => {
  const text = `pw!${place}-9f2cX7`;
  planted.push(text);
  return text;
};
const card = (text: string): string => {
  planted.push(text);
  return text;
};

const forms = (text: string): readonly string[] => [
  text,
  text.slice(0, 20),
  Buffer.from(text).toString("base64").replace(/=+$/, "").slice(0, -1),
  Buffer.from(text).toString("hex"),
  encodeURIComponent(text),
  [...text].map((character) => `%${character.charCodeAt(0).toString(16)}`).join(""),
];

/** What is said of a call: everything but what goes back to the tool or the agent. */
const said = (answer: string): string => {
  const { modified_args: _args, modified_result: _result, ...rest } = JSON.parse(answer) as Record<string, unknown>;
  return JSON.stringify(rest);
};

test("no planted secret is in a reason, a receipt, a log or the state, whatever field it stood in", async () => {
  const place = await makePlace(module);
  daemon = await startDaemon(place);
  let count = 0;
  const event = (action: string, args: object, phase = "call"): object => ({
    event: { action, args, phase },
    id: `r-${++count}`,
    v: 1,
  });
  const frames = [
    {
      hello: { client: "kit/1", features: ["details", "escalate", "replace_args"], nonce: "a-nonce-of-some-length" },
      id: "h",
      v: 1,
    },
    event("send_message", { text: `use ${token("callText")}` }),
    event("send_message", { deep: [{ deeper: { text: token("callDeep") } }] }),
    event("send_message", { [token("callName")]: 1 }),
    event("send_message", { deep: { [token("callDeepName")]: { [token("callDeeperName")]: token("callUnderName") } } }),
    event("http_request", {
      url: `https://example.org/?k=${token("callUrl")}`,
      headers: { Authorization: `Bearer ${token("callHeader")}` },
    }),
    event("http_request", {
      url: "https://example.org/",
      headers: { Cookie: `t=${token("callCookie")}` },
      body: JSON.stringify({ password: password("body") }),
    }),
    event("send_message", { text: Buffer.from(token("callEncoded")).toString("base64") }),
    event("send_message", { first: token("callSplit").slice(0, 16), second: planted.at(-1)!.slice(16) }),
    event("run_command", { command: `curl -H 'X-Key: ${token("callCommand")}' https://example.org` }),
    event("write_file", { path: "config.env", content: `TOKEN=${token("callFile")}` }),
    event("send_message", { db_password: password("member") }),
    event("send_message", { text: `card ${card("4539578763621486")} now` }),
    event("send_message", { [`card ${card("6011000990139424")}`]: 1 }),
    event("send_message", { text: "Zebra-Umbrella-4417 it is" }),
    event("read", { content: [{ type: "text", text: `TOKEN=${token("resultText")}` }] }, "result"),
    event("read", { result: JSON.stringify({ token: token("resultJson"), password: password("result") }) }, "result"),
    event("read", { structuredContent: { [token("resultName")]: token("resultMember") } }, "result"),
    event("read", { headers: { "set-cookie": `t=${token("resultHeader")}` } }, "result"),
    event(
      "read",
      { isError: true, error: { message: `refused ${token("resultError")}`, data: [token("resultErrorData")] } },
      "result",
    ),
    event(
      "read",
      { contents: [{ mimeType: "text/plain", blob: Buffer.from(token("resultBlob")).toString("base64") }] },
      "result",
    ),
    event("read", { customer: { card: card("5500000000000004") } }, "result"),
  ];
  const connection = await RawConnection.open(place.socket);
  const answers: string[] = [];
  for (const frame of frames) {
    connection.send(Buffer.from(`${JSON.stringify(frame)}\n`));
    answers.push((await connection.line(15_000)).toString());
  }
  // Each call was held, and each result rewritten.
  const verdicts = answers.slice(1).map((answer) => (JSON.parse(answer) as { verdict: number }).verdict);
  const passed = verdicts.slice(0, 14).flatMap((verdict, index) => (verdict === 1 || verdict === 3 ? [] : [index + 1]));
  expect(
    passed.map((index) => answers[index]),
    "calls that went on",
  ).toEqual([]);
  expect(verdicts.slice(14)).toEqual([2, 2, 2, 2, 2, 2, 2]);
  const receipts = JSON.stringify(await receiptsOf(place));
  const shown = await interlock(place, ["receipts", "tail", "-n", "1000"]);
  const exported = await interlock(place, ["receipts", "export"]);
  const log = daemon.stderr();
  await daemon.stop();
  planted.push("Zebra-Umbrella-4417");
  const places: Readonly<Record<string, string>> = {
    receipts,
    shown: shown.stdout + shown.stderr,
    exported: exported.stdout + exported.stderr,
    log,
    state: filesOf(place),
    answers: answers.slice(1).map(said).join("\n"),
    // What a tool or the agent gets back has none of them either.
    results: answers.slice(15).join("\n"),
  };
  expect(planted.length).toBeGreaterThan(25);
  const leaks = Object.entries(places).flatMap(([name, text]) =>
    planted.filter((secret) => forms(secret).some((form) => text.includes(form))).map((secret) => `${name}: ${secret}`),
  );
  expect(leaks).toEqual([]);
}, 180_000);
