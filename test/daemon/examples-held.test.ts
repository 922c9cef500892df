import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { heldExamplesIn } from "../../daemon/rulesets/held-examples.ts";
import { startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place, putRules } from "../kit/place.ts";
import { ruleModule } from "../kit/rules.ts";

/** Says which of its two examples it is asked about. A start that runs none asks the first, so that what a rule loads is loaded. */
const telling = `{
  id: "telling",
  actions: ["pay"],
  phase: "call",
  evaluate: ({ args }) => {
    console.error("example " + args.n);
    return args.n === 1 ? block("one") : allow();
  },
  examples: [
    { event: { action: "pay", args: { n: 1 } }, expect: "block" },
    { event: { action: "pay", args: { n: 2 } }, expect: "allow" },
  ],
}`;

const examplesOfStart = async (place: Place): Promise<readonly string[]> => {
  const daemon = await startDaemon(place);
  const { stderr } = await daemon.stop();
  return [...new Set(stderr.match(/example \d/g))].sort();
};

const all = ["example 1", "example 2"];

test("examples run at the first start of a rule set, and not again for the same bytes under the same daemon", async () => {
  const place = await makePlace(ruleModule(telling));
  expect(await examplesOfStart(place)).toEqual(all);
  expect(await examplesOfStart(place)).toEqual(["example 1"]);
  await putRules(place, ruleModule(telling, { version: 2 }));
  expect(await examplesOfStart(place)).toEqual(all);
  expect(await examplesOfStart(place)).toEqual(["example 1"]);
});

test("a memory of examples that was made by somebody else spares none", async () => {
  const [own, other] = [await makePlace(ruleModule(telling)), await makePlace(ruleModule(telling))];
  for (const place of [own, other]) await examplesOfStart(place);
  // The other daemon has another key: what it remembers of the same bytes is nothing here.
  await writeFile(heldExamplesIn(own.state), await readFile(heldExamplesIn(other.state)));
  expect(await examplesOfStart(own)).toEqual(all);
});
