import fc from "fast-check";
import { expect, it } from "vitest";
import { readFileCall, readSpawnCall } from "./call.ts";
import { spawnPlan } from "./plan.ts";
import { changedCall, viewOf } from "./view.ts";

const options = fc.record(
  {
    cwd: fc.string(),
    env: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.constant(undefined))),
    shell: fc.oneof(fc.boolean(), fc.string()),
    argv0: fc.string(),
    timeout: fc.integer(),
    stdio: fc.oneof(
      fc.constantFrom("pipe", "ignore"),
      fc.array(fc.oneof(fc.constant("pipe"), fc.integer(), fc.constant(null))),
    ),
    signal: fc.constant(new AbortController().signal),
  },
  { requiredKeys: [] },
);
const args = fc.array(fc.oneof(fc.string(), fc.integer(), fc.boolean()));
const callback = fc.constantFrom(undefined, () => {});

it("a rewrite that changes nothing is the same call, however the arguments are placed", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.option(args),
      fc.option(options, { nil: undefined }),
      callback,
      (file, list, given, done) => {
        const shifted = list === null && given !== undefined ? [file, given, done] : [file, list, given, done];
        const call = readFileCall(shifted);
        if (call === null) throw new Error("misuse");
        expect(changedCall(call, viewOf(call))).toEqual(call);
        expect(changedCall(call, JSON.parse(JSON.stringify(viewOf(call))))).toEqual(call);
      },
    ),
  );
});

it("a plan has nothing but text, and every word that a rule was shown", () => {
  fc.assert(
    fc.property(fc.string(), args, options, (file, list, given) => {
      const call = readSpawnCall([file, list, given]);
      if (call === null) throw new Error("misuse");
      const plan = spawnPlan(call);
      const line = given.shell ? [plan.args.at(-1)] : [plan.file, ...plan.args.slice(1)];
      const shown = viewOf(call) as { command: string; args: string[] };
      const words = [shown.command, ...shown.args];
      expect(line).toEqual(given.shell ? [words.join(" ")] : words);
    }),
  );
});
