import { spawn } from "node:child_process";
import { once } from "node:events";
import { realpathSync } from "node:fs";
import { afterEach, beforeAll, expect, test } from "vitest";
import { startDaemon } from "../../../test/kit/daemon.ts";
import { makePlace, shortDirectory } from "../../../test/kit/place.ts";
import { buildClient, fileRules, guarded, preload, race, run, swapper } from "./testing/rig.ts";

type Outcomes = Readonly<Record<string, Readonly<Record<string, number>>>>;

let env: NodeJS.ProcessEnv;
let stop = (): void => {};

beforeAll(async () => {
  const [build, place] = await Promise.all([buildClient(), makePlace(fileRules)]);
  await startDaemon(place);
  env = guarded(build, place.socket);
});
afterEach(() => stop());

/** A second process swaps what `way/file` leads to, while a guarded one opens it. */
const swapped = async (what: "link" | "folder"): Promise<Outcomes> => {
  const place = realpathSync(shortDirectory());
  const child = spawn(process.execPath, [swapper, what], { cwd: place, stdio: ["ignore", "pipe", "inherit"] });
  stop = () => child.kill();
  await once(child.stdout, "data");
  const { code, stdout, stderr } = await run(process.execPath, [...preload, race, "60", what], place, env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
};

test.each(["link", "folder"] as const)(
  "a %s that is swapped all the time: the secret never comes out",
  async (what) => {
    const { control, ...forms } = await swapped(what);
    // The swaps are fast enough: a look before a read is not worth anything.
    expect(control?.["the secret file"]).toBeGreaterThan(0);
    expect(Object.values(forms).filter((outcomes) => "the secret file" in outcomes)).toEqual([]);
    const all = Object.values(forms);
    expect(all.every((outcomes) => (outcomes["the public file"] ?? 0) > 0)).toBe(true);
    expect(all.some((outcomes) => (outcomes.BlockedError ?? 0) > 0)).toBe(true);
  },
  90_000,
);
