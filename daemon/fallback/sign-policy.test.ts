import { expect, test } from "vitest";
import { parseSignedDocument } from "../../wire/signed-document.ts";
import { generateKeyPair } from "../keys/private-key.ts";
import { trustIn } from "../keys/trust.ts";
import { verifyDocument } from "../keys/verify-document.ts";
import { PolicyRefused } from "./refusal.ts";
import { signPolicy } from "./sign-policy.ts";
import { readPolicy } from "./source.ts";

const at = (day: number): number => Date.parse(`2026-12-0${day}T00:00:00.000Z`);
const policy = (version: number, action = "read_file") =>
  readPolicy(
    JSON.stringify({
      ...{ id: "prod", version, not_after: "2027-01-31" },
      rules: [{ id: "r", effect: "allow", actions: [action] }],
    }),
    "p.yaml",
    at(1),
  );
const key = generateKeyPair();
const first = signPolicy(policy(7), key, null, "p.yaml", at(1));

test("a signed policy is believed by whoever has the key", () => {
  const trust = trustIn("fallback", [key.publicKey]);
  const file = { path: "p.signed", bytes: Buffer.from(first.text) };
  expect(verifyDocument(file, "fallback", trust, at(1)).key_ids).toEqual([key.keyId]);
  expect(first).toMatchObject({ id: "prod", version: 7 });
});

test("the same policy signed again is the same file, byte for byte, whenever that is", () => {
  const again = signPolicy(policy(7), key, Buffer.from(first.text), "p.yaml", at(5));
  expect(again.text).toBe(first.text);
  expect(again.digest).toBe(first.digest);
});

test("other contents need a higher version", () => {
  for (const version of [7, 6]) {
    expect(() => signPolicy(policy(version, "write_file"), key, Buffer.from(first.text), "p.yaml", at(2))).toThrow(
      new PolicyRefused(
        "policy_version",
        "p.yaml: version 7 was published with other contents; raise the version above 7",
      ),
    );
  }
  const next = signPolicy(policy(8, "write_file"), key, Buffer.from(first.text), "p.yaml", at(2));
  expect(JSON.parse(parseSignedDocument(Buffer.from(next.text), "fallback").payload)).toMatchObject({
    version: 8,
    created: "2026-12-02T00:00:00.000Z",
  });
});

test("a file that holds no policy is written over", () => {
  expect(signPolicy(policy(7), key, Buffer.from("junk"), "p.yaml", at(1)).text).toBe(first.text);
});
