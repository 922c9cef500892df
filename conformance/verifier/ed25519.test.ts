import { spawnSync } from "node:child_process";
import { createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import nacl from "tweetnacl";
import { expect, test } from "vitest";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

interface Question {
  readonly key: string;
  readonly message: string;
  readonly signature: string;
}

const program = `
import json, sys
import ed25519
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps(ed25519.verify(*(bytes.fromhex(asked[name]) for name in ("key", "message", "signature")))))
`;

const byPython = (questions: readonly Question[]): readonly boolean[] => {
  const input = questions.map((question) => `${JSON.stringify(question)}\n`).join("");
  const { status, stdout, stderr, error } = spawnSync("python3", ["-c", program], {
    cwd: here("."),
    input,
    encoding: "utf8",
  });
  if (error !== undefined) throw new Error(`python3 cannot be run (${error.message}): install Python 3.9 or newer`);
  expect(stderr).toBe("");
  expect(status).toBe(0);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as boolean);
};

const spki = Buffer.from("302a300506032b6570032100", "hex");
const bytes = (hex: string): Buffer => Buffer.from(hex, "hex");

const byNode = ({ key, message, signature }: Question): boolean => {
  const object = createPublicKey({ key: Buffer.concat([spki, bytes(key)]), format: "der", type: "spki" });
  return verify(null, bytes(message), object, bytes(signature));
};

const byTweetnacl = ({ key, message, signature }: Question): boolean =>
  bytes(signature).length === 64 && nacl.sign.detached.verify(bytes(message), bytes(signature), bytes(key));

test("all 151 vectors of Wycheproof: Python says what they say", () => {
  const path = here("../../daemon/keys/testdata/ed25519_test.json");
  const { testGroups } = JSON.parse(readFileSync(path, "utf8")) as {
    readonly testGroups: readonly {
      readonly publicKey: { readonly pk: string };
      readonly tests: readonly { readonly msg: string; readonly sig: string; readonly result: string }[];
    }[];
  };
  const vectors = testGroups.flatMap(({ publicKey, tests }) => tests.map((one) => ({ key: publicKey.pk, ...one })));
  expect(vectors.length).toBe(151);
  const answers = byPython(vectors.map(({ key, msg, sig }) => ({ key, message: msg, signature: sig })));
  expect(answers).toEqual(vectors.map(({ result }) => result === "valid"));
});

/** Encodings of the points of small order, and of a y of p or more: where implementations of Ed25519 are known to part. */
const oddPoints = [
  `01${"00".repeat(31)}`,
  `01${"00".repeat(30)}80`,
  `ec${"ff".repeat(30)}7f`,
  `ec${"ff".repeat(31)}`,
  "00".repeat(32),
  `${"00".repeat(31)}80`,
  `ed${"ff".repeat(30)}7f`,
  `ed${"ff".repeat(31)}`,
  `ee${"ff".repeat(30)}7f`,
  `ee${"ff".repeat(31)}`,
  `${"ff".repeat(31)}7f`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
  // No point at all.
  `02${"00".repeat(31)}`,
];

test("Python, node:crypto and tweetnacl say the same of keys and signatures that are odd points", () => {
  const questions = oddPoints.flatMap((key) =>
    oddPoints.flatMap((point) => ["00", "01"].map((message) => ({ key, message, signature: point + "00".repeat(32) }))),
  );
  const answers = byPython(questions);
  expect(answers).toEqual(questions.map(byNode));
  expect(answers).toEqual(questions.map(byTweetnacl));
  expect(new Set(answers)).toEqual(new Set([true, false]));
}, 120_000);

test("the verifier's Ed25519 is the client's: each has to be copied alone", () => {
  const client = readFileSync(here("../../client-python/interlock_guard/ed25519.py"), "utf8");
  expect(readFileSync(here("ed25519.py"), "utf8")).toBe(client);
});
