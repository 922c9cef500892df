// Runs the built package, as a user has it, on whatever Node runs this file; prints "ok" and the version.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const names = process.argv.slice(2);
const modules = await Promise.all(names.map((name) => import(name)));
const { BlockedError, enforceToolCall, enforceToolResult, guardToolMap, NotApprovedError, probe, RemoteEngine } =
  modules[0];
for (const module of modules) assert.equal(module.RemoteEngine, RemoteEngine, "both names are one module");
const { canonical, MAX_LINE } = await import(`${names[0]}/wire`);
assert.equal(canonical({ b: 1, a: [1e30] }), '{"a":[1e+30],"b":1}');
assert.equal(MAX_LINE, 8388608);
assert.equal((await import(`${names[0]}/mcp`)).guardMcpSession, modules[0].guardMcpSession);

const verdicts = { refund: 3, rm_rf: 1, write: 2 };
const answer = ({ hello, id, event }) => {
  if (hello) {
    const features = ["call_id", "details", "escalate", "escape", "replace_args", "resend"];
    return {
      hello: { daemon: "smoke/1", features, max_frame: 8388608, mode: "enforce", rules: "r", rules_version: 1 },
      id,
      v: 1,
    };
  }
  const verdict = event.phase === "call" ? (verdicts[event.action] ?? 0) : 0;
  const modified_args = verdict === 2 ? { path: "/tmp/q" } : null;
  const nulls = { attributed_to: null, details: null, modified_result: null, policy_id: null };
  return { ...nulls, id, modified_args, reason: "r", v: 1, verdict };
};
const path = join(mkdtempSync(join(tmpdir(), "il-")), "g.sock");
const server = createServer((socket) => {
  let rest = "";
  socket.setEncoding("utf8").on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const line of lines) socket.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`);
  });
});
await new Promise((resolve) => server.listen(path, resolve));

const engine = new RemoteEngine(path);
assert.equal(await probe(path), true);
assert.deepEqual(await enforceToolCall("ping", { a: 1 }, { engine }), { a: 1 });
assert.deepEqual(await enforceToolCall("write", { path: "/etc/x" }, { engine }), { path: "/tmp/q" });
await assert.rejects(enforceToolCall("rm_rf", {}, { engine }), BlockedError);
await assert.rejects(enforceToolCall("refund", {}, { engine }), NotApprovedError);
assert.deepEqual(await enforceToolCall("refund", { eur: 1 }, { engine, onEscalate: () => true }), { eur: 1 });
const result = {};
assert.equal(await enforceToolResult("ping", result, { engine }), result);
assert.equal(await guardToolMap({ add: ({ a, b }) => a + b }, { engine }).add({ a: 1, b: 2 }), 3);
const many = await Promise.all(
  Array.from({ length: 1000 }, (_, i) => engine.evaluate({ action: "ping", args: { i } })),
);
assert.equal(many.length, 1000);
await assert.rejects(engine.evaluate({ action: "ping", args: { d: new Date() } }), /cannot be put to the guard/);
await engine.close();
server.close();
rmSync(path, { force: true });
const absent = new RemoteEngine(path, { grace_ms: 20 });
await assert.rejects(absent.evaluate({ action: "ping" }), /guard daemon unreachable at .*ENOENT/);
console.log(`ok ${process.version}`);
