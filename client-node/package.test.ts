import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleClient } from "../scripts/build/client-bundles.mjs";
import { version } from "./version.ts";

const run = promisify(execFile);
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const npm = (args: string[], cwd: string) =>
  run("npm", [...args, "--no-audit", "--no-fund"], { cwd, timeout: 120_000 });
const manifest = JSON.parse(readFileSync(at("package.json"), "utf8"));

/** A project of somebody else's, in a directory of its own, with what it installed. */
const project = (): string => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "il-pkg-")));
  writeFileSync(join(directory, "package.json"), '{"name":"p","private":true,"type":"module"}');
  cpSync(at("testing/smoke.mjs"), join(directory, "smoke.mjs"));
  return directory;
};

const smoke = async (node: string, directory: string, ...names: string[]): Promise<string> =>
  (await run(node, ["smoke.mjs", ...names], { cwd: directory, timeout: 60_000 })).stdout;

let tarball: string;
let copy: string;

afterAll(() => rmSync(copy, { recursive: true }));

beforeAll(async () => {
  // Built into a copy, so that a build of the project at the same time is not disturbed.
  copy = project();
  const out = join(copy, "package");
  mkdirSync(out);
  for (const name of ["package.json", "README.md", "LICENSE"]) cpSync(at(name), join(out, name));
  await run(at("../node_modules/.bin/tsc"), ["-p", at("tsconfig.json"), "--outDir", join(out, "dist")]);
  await bundleClient(join(out, "dist"));
  const { stdout } = await npm(["pack", "--json", "--pack-destination", copy], out);
  tarball = join(copy, JSON.parse(stdout)[0].filename);
}, 120_000);

test("the manifest: no dependency, no script, the entries with their types, and the version that the hello names", () => {
  expect(manifest.version).toBe(version);
  for (const key of ["dependencies", "optionalDependencies", "peerDependencies", "scripts", "bin"]) {
    expect(manifest).not.toHaveProperty(key);
  }
  const entry = (name: string) => ({
    types: `./dist/client-node/${name}.d.ts`,
    default: `./dist/client-node/${name}.js`,
  });
  expect(manifest.exports).toEqual({
    ".": entry("index"),
    "./wire": entry("wire"),
    "./mcp": entry("mcp"),
    "./esm-hook": entry("intercept/esm-hook"),
    "./require-hook": "./dist/client-node/intercept/require-hook.cjs",
    "./package.json": "./package.json",
  });
  expect(manifest).toMatchObject({
    name: "interlock-guard",
    type: "module",
    engines: { node: ">=20.16" },
    license: "Apache-2.0",
  });
});

test("the tarball holds the compiled modules and their types, and no test", async () => {
  const { stdout } = await run("tar", ["-tzf", tarball]);
  const bundles = ["require-hook", "own-realm", "sync-worker"].map(
    (name) => `package/dist/client-node/intercept/${name}.cjs`,
  );
  const listed = stdout.trim().split("\n");
  expect(listed).toEqual(expect.arrayContaining(bundles));
  const files = listed.filter((file) => !bundles.includes(file));
  expect(files).toContain("package/dist/client-node/index.js");
  expect(files).toContain("package/dist/wire/canonical.js");
  expect(files).toContain("package/README.md");
  expect(files).toContain("package/LICENSE");
  expect(
    files.filter(
      (file) =>
        !/^package\/(dist\/(client-node|wire)\/(fallback\/|streams\/|surface\/|intercept\/(\w+\/)?)?[\w-]+\.(js|d\.ts)|package\.json|README\.md|LICENSE)$/.test(
          file,
        ),
    ),
  ).toEqual([]);
});

test("exported names", async () => {
  const client = await import("./index.ts");
  expect(Object.keys(client).sort()).toEqual([
    "BlockedError",
    "Decision",
    "NotApprovedError",
    "RemoteEngine",
    "ReplayedError",
    "SignedFileRefused",
    "Verdict",
    "enforceToolCall",
    "enforceToolResult",
    "esmLoaderRegistered",
    "guardMcpSession",
    "guardToolMap",
    "guardToolRunner",
    "installInterceptors",
    "probe",
    "registerEsmInterceptors",
    "reportOutcome",
    "resumeToolCall",
    "sensorEvent",
  ]);
  const wire: Record<string, unknown> = await import("./wire.ts");
  const published = [
    "PROTOCOL_VERSION",
    "MAX_LINE",
    "canonical",
    "encodeValue",
    "decodeValue",
    "encodeFrame",
    "decodeLine",
    "requestFrame",
  ];
  const more = ["parseRequest", "responseFrame", "parseResponse", "errorFrame", "WireError", "Unrepresentable"];
  for (const name of [...published, ...more]) expect(wire[name], name).toBeDefined();
});

for (const name of ["guard", "interlock-guard"]) {
  test(`the tarball installs and runs as ${name}, offline`, async () => {
    const directory = project();
    await npm(["install", "--offline", `${name}@file:${tarball}`], directory);
    expect(await smoke(process.execPath, directory, name)).toBe(`ok ${process.version}\n`);
    rmSync(directory, { recursive: true });
  }, 120_000);
}

test("in this repository both names are one module", async () => {
  const directory = project();
  // Links to one folder, as npm makes them for the project's own devDependencies.
  const dist = join(directory, "package");
  await run("tar", ["-xzf", tarball, "-C", directory]);
  await npm(["install", "--offline", `guard@file:${dist}`, `interlock-guard@file:${dist}`], directory);
  expect(await smoke(process.execPath, directory, "guard", "interlock-guard")).toBe(`ok ${process.version}\n`);
  for (const name of ["guard", "interlock-guard"]) {
    expect(realpathSync(at(`../node_modules/${name}`))).toBe(realpathSync(at(".")));
  }
  rmSync(directory, { recursive: true });
}, 120_000);

test("types: a program that uses the package compiles against the tarball", async () => {
  const directory = project();
  await npm(["install", "--offline", `guard@file:${tarball}`], directory);
  const program = `
    import { enforceToolCall, guardToolMap, NotApprovedError, RemoteEngine, ReplayedError, reportOutcome, resumeToolCall } from "guard";
    import type { Approval, Decision, Engine, Outcome } from "guard";
    import { guardMcpSession } from "guard/mcp";
    import { canonical } from "guard/wire";
    const engine = new RemoteEngine("/run/g.sock", { timeout: null, unreachable: "deny" });
    export const args: Promise<Record<string, unknown>> = enforceToolCall("a", { b: 1 }, { engine, onEscalate: async () => true });
    export const tools = guardToolMap({ add: (pair: { a: number; b: number }) => pair.a + pair.b }, { engine });
    export const sum: Promise<number> = tools.add({ a: 1, b: 2 });
    export const decision: Promise<Decision> = engine.evaluate({ action: "a" });
    // @ts-expect-error there is no such setting
    new RemoteEngine("/run/g.sock", { unreachable: "open" });
    export const session = guardMcpSession({ callTool: async (params: { name: string }) => params.name }, { engine });
    export const text: string = canonical({});
    export const waiting = guardToolMap({}, { engine, escalate: "wait", escalateDeadline_ms: 1000, onReplay: ({ transactionId }) => transactionId });
    // @ts-expect-error an escalation is never let through
    guardToolMap({}, { engine, escalate: "allow" });
    export const approval: Approval = { approvalId: "ap", callId: "c" };
    export const resumed: Promise<Record<string, unknown>> = resumeToolCall("a", approval, { engine });
    export const verdict: Promise<Decision> = engine.resume("ap", { callId: "c" });
    const outcome: Outcome = { status: "failed", error: new Error("x") };
    export const told: Promise<boolean> = reportOutcome(outcome, { engine, callId: "c" });
    // @ts-expect-error only failed and abandoned calls have no result
    reportOutcome({ status: "executed" }, { engine });
    export const ownEngine: Engine = engine;
    export const read = (error: unknown): unknown =>
      error instanceof ReplayedError ? error.result : error instanceof NotApprovedError ? error.approvalId : null;
    export const locations = (decision: Decision): readonly string[] => decision.errors.map(({ loc }) => loc);
  `;
  writeFileSync(join(directory, "program.ts"), program);
  const settings = ["--strict", "--exactOptionalPropertyTypes", "--module", "nodenext", "--target", "es2023"];
  const typeRoots = at("../node_modules/@types");
  const tsc = run(
    at("../node_modules/.bin/tsc"),
    ["--noEmit", ...settings, "--typeRoots", typeRoots, "--types", "node", "program.ts"],
    { cwd: directory },
  );
  await expect(tsc).resolves.toMatchObject({ stdout: "" });
  rmSync(directory, { recursive: true });
}, 120_000);

/** The Node versions of testing/runtimes are installed there the first time. */
const runtimes = at("testing/runtimes");

for (const major of [22, 24]) {
  test(`the package runs on Node ${major}`, async () => {
    const node = join(runtimes, `node_modules/node${major}/bin/node`);
    if (!existsSync(node)) await npm(["ci"], runtimes);
    const directory = project();
    await npm(["install", "--offline", `guard@file:${tarball}`], directory);
    expect(await smoke(node, directory, "guard")).toMatch(new RegExp(`^ok v${major}\\.`));
    rmSync(directory, { recursive: true });
  }, 180_000);
}
