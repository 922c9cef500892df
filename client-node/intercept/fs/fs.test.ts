import { beforeAll, describe, expect, test } from "vitest";
import { type Daemon, startDaemon } from "../../../test/kit/daemon.ts";
import { makePlace } from "../../../test/kit/place.ts";
import { buildClient, everyForm, fileRules, folder, guarded, misuse, nodes, preload, run } from "./testing/rig.ts";

interface Outcome {
  readonly value?: unknown;
  readonly name?: string;
}
type Outcomes = Readonly<Record<string, Outcome>>;

let env: NodeJS.ProcessEnv;
let daemon: Daemon;

beforeAll(async () => {
  const [build, place] = await Promise.all([buildClient(), makePlace(fileRules)]);
  daemon = await startDaemon(place);
  env = guarded(build, place.socket);
});

const outcomes = async (
  program: string,
  node: string,
  settings: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<Outcomes> => {
  const { code, stdout, stderr } = await run(node, [...preload, program, ...args], folder(), settings);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
};

describe.each(nodes)("on Node %s", (_version, node) => {
  test("an allowed call ends as it does without a guard, in every form", async () => {
    const [with_, without] = await Promise.all([
      outcomes(everyForm, node, env),
      outcomes(everyForm, node, { NODE_NO_WARNINGS: "1" }),
    ]);
    expect(with_).toEqual(without);
    expect(Object.keys(with_).length).toBeGreaterThan(150);
  });

  test("a blocked call is refused in every form, through a link as well", async () => {
    const all = await outcomes(everyForm, node, env, "innocent/file", "innocent/inner");
    const isRefused = ({ name, value }: Outcome, call: string): boolean =>
      call.includes(" exists ") ? value === false : name === "BlockedError";
    const others = Object.entries(all).filter(([call, outcome]) => !isRefused(outcome, call));
    expect(Object.fromEntries(others)).toEqual({});
    expect(Object.keys(all).filter((call) => call.startsWith("sync")).length).toBeGreaterThan(40);
  });
});

describe.each(nodes)("on Node %s", (_version, node) => {
  test("misuse ends as it does without a guard", async () => {
    const [with_, without] = await Promise.all([
      outcomes(misuse, node, env),
      outcomes(misuse, node, { NODE_NO_WARNINGS: "1" }),
    ]);
    expect(with_).toEqual(without);
  });
});

/** Runs a program's text, guarded; its last expression's value as JSON. */
const evaluated = async (text: string): Promise<unknown> => {
  const program = `import fs, { readFileSync } from "node:fs"; import { promisify } from "node:util"; import { createRequire } from "node:module";
    const all = async (stream) => { let text = ""; for await (const part of stream) text += part; return text; };
    const of = async (call) => { try { return String(await call()); } catch (error) { return error.name; } };
    console.log(JSON.stringify(await Promise.all([${text}].map(of))));`;
  const { code, stdout, stderr } = await run(
    process.execPath,
    [...preload, "--input-type=module", "-e", program],
    folder(),
    env,
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
};

const reading = (path: string): string => `
  () => promisify(fs.readFile)("${path}"), () => fs.promises.readFile("${path}"), () => fs.readFileSync("${path}"), () => readFileSync("${path}"),
  () => all(fs.createReadStream("${path}")), () => all(new fs.ReadStream("${path}")), async () => (await fs.openAsBlob("${path}")).text(),
  () => createRequire(process.cwd() + "/x.js")("fs").readFileSync("${path}"), async () => (await import("node:fs/promises")).readFile("${path}"),
  async () => { const handle = await fs.promises.open("${path}"); try { return await handle.readFile(); } finally { await handle.close(); } }`;

test("a rewritten path is what the call uses, in every form", async () => {
  expect(await evaluated(reading("asked-for"))).toEqual(Array(10).fill("the allowed"));
});

test("a link, dot segments and /proc lead to the same refusal as the path itself", async () => {
  const paths = [
    "secret/file",
    "innocent/file",
    "innocent/../secret/file",
    "innocent/inner/../file",
    "/proc/self/cwd/innocent/file",
  ];
  for (const path of paths) expect(await evaluated(reading(path))).toEqual(Array(10).fill("BlockedError"));
});

test("a new link into the folder, a copy and a rename out of it are refused", async () => {
  const calls = `() => fs.symlinkSync("secret/file", "new"), () => fs.linkSync("secret/file", "new"), () => fs.renameSync("secret/file", "new"),
    () => fs.copyFileSync("innocent/file", "new"), () => fs.cpSync("innocent", "new", { recursive: true }), () => fs.cpSync("allowed", "innocent/new")`;
  // A copy of a link is a link: what it leads to is not read.
  expect(await evaluated(calls)).toEqual([...Array(4).fill("BlockedError"), expect.any(String), "BlockedError"]);
});

test("the daemon is gone: every form is refused, and the program ends", async () => {
  await daemon.kill();
  expect(await evaluated(reading("allowed"))).toEqual(Array(10).fill("BlockedError"));
  expect(await evaluated(`() => fs.existsSync("allowed"), () => fs.writeFileSync("new", "x")`)).toEqual([
    "false",
    "BlockedError",
  ]);
});
