import { beforeAll, expect, test } from "vitest";
import { startDaemon } from "../../../test/kit/daemon.ts";
import { makePlace } from "../../../test/kit/place.ts";
import { buildClient, fileRules, folder, guarded, nodes, openings, preload, run } from "./testing/rig.ts";

let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  const [build, place] = await Promise.all([buildClient(), makePlace(fileRules)]);
  await startDaemon(place);
  env = guarded(build, place.socket);
});

const outcomes = async (node: string, settings: NodeJS.ProcessEnv): Promise<Readonly<Record<string, unknown>>> => {
  const { code, stdout, stderr } = await run(node, [...preload, openings], folder(), settings);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
};

test.each(nodes)(
  "what opens a file ends as without a guard, and leaves the same behind: Node %s",
  async (_version, node) => {
    const [with_, without] = await Promise.all([outcomes(node, env), outcomes(node, { NODE_NO_WARNINGS: "1" })]);
    const differing = Object.keys(without).filter(
      (call) => JSON.stringify(with_[call]) !== JSON.stringify(without[call]),
    );
    expect(Object.fromEntries(differing.map((call) => [call, [with_[call], without[call]]]))).toEqual({});
    expect(Object.keys(with_).length).toBeGreaterThan(2500);
  },
  120_000,
);

test("under Node's own --permission what it allows is opened, and what it does not is its error", async () => {
  const program = `import fs from "node:fs"; const of = async (call) => { try { return String(await call()); } catch (error) { return error.code ?? error.name; } };
    const calls = [() => fs.writeFileSync("new", "a", { mode: 0o640 }), () => fs.promises.writeFile("new", "b", { flag: "as" }),
      () => fs.readFileSync("new", "utf8"), () => fs.writeFileSync("/dev/full", "x"), () => fs.readFileSync("secret/file")];
    const all = []; for (const call of calls) all.push(await of(call)); console.log(JSON.stringify(all));`;
  const place = folder();
  const permission = ["--permission", "--allow-fs-read=*", `--allow-fs-write=${place}`, "--allow-worker"];
  const [, node] = nodes[2] as (typeof nodes)[number];
  const args = [...permission, ...preload, "--input-type=module", "-e", program];
  const { code, stdout, stderr } = await run(node, args, place, env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const denied = "ERR_ACCESS_DENIED";
  expect(JSON.parse(stdout)).toEqual(["undefined", "undefined", "ab", denied, "BlockedError"]);
});
