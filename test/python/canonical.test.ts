import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LineClient } from "../../conformance/line/line-client.ts";
import { NodeTaskClient } from "../../conformance/line/node-task-client.ts";
import { pythonClientCommand, pythonEnv } from "./python.ts";
import { Values } from "./values.ts";

let pythonClient: LineClient;
const nodeClient = new NodeTaskClient();

beforeAll(() => {
  pythonClient = new LineClient(pythonClientCommand(), pythonEnv);
});

afterAll(() => pythonClient.close());

const testdata = (path: string): Buffer => readFileSync(new URL(`../../wire/testdata/${path}`, import.meta.url));

describe("the Python client writes the published vectors of RFC 8785, byte for byte", () => {
  test.each(["arrays", "french", "structures", "unicode", "values", "weird"])("%s", async (name) => {
    const answer = await pythonClient.do({ op: "canonical", hex: testdata(`jcs/input/${name}.json`).toString("hex") });
    expect(answer).toMatchObject({ text: testdata(`jcs/output/${name}.json`).toString("utf8") });
  });
});

/** One case is described rather than stored: 50,000 times an array with an object, none closed. */
const openArrayObject = Buffer.from(`${'[{"":'.repeat(50_000)}\n`);

test("the Python client admits and refuses of JSON's test suite what the Node client does", async () => {
  const { parsing } = JSON.parse(testdata("json_test_suite.json").toString("utf8")) as {
    readonly parsing: readonly { readonly name: string; readonly base64?: string }[];
  };
  expect(parsing.length).toBeGreaterThan(300);
  for (const { name, base64 } of parsing) {
    const bytes = base64 === undefined ? openArrayObject : Buffer.from(base64, "base64");
    const task = { op: "canonical", hex: bytes.toString("hex") } as const;
    const { id: _, ...answer } = (await pythonClient.do(task)) as Record<string, unknown>;
    expect(answer, name).toEqual(await nodeClient.do(task));
  }
}, 60_000);

test("both write 10,000 generated values byte for byte alike, and refuse the same ones", async () => {
  const values = new Values(20261130);
  let written = 0;
  for (let round = 0; round < 100; round++) {
    const tasks = Array.from({ length: 100 }, () => {
      const value = values.next();
      return { op: "encode", value, escape: values.isLikely() } as const;
    });
    const answers = await Promise.all(tasks.map((task) => pythonClient.do(task)));
    for (const [index, task] of tasks.entries()) {
      const { id: _, ...answer } = answers[index] as unknown as Record<string, unknown>;
      const expected = await nodeClient.do(task);
      expect(answer, JSON.stringify(task)).toEqual(expected);
      if ("text" in expected) written++;
    }
  }
  expect(written).toBeGreaterThan(8_000);
  expect(written).toBeLessThan(10_000);
}, 120_000);
