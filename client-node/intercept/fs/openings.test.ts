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
