import { verify } from "node:crypto";
import { readFileSync } from "node:fs";
import nacl from "tweetnacl";
import { describe, expect, it } from "vitest";
import { isWeakKey } from "../../wire/weak-keys.ts";
import { ringText } from "./keyring.testkit.ts";
import { keyId, publicKeyFromRaw } from "./public-key.ts";
import { parseTrustedKeys } from "./read-trusted-keys.ts";
import { trustFrom } from "./trust-files.ts";
import { verifyBytes } from "./verify-bytes.ts";

interface Vectors {
  readonly testGroups: readonly {
    readonly publicKey: { readonly pk: string };
    readonly tests: readonly {
      readonly tcId: number;
      readonly msg: string;
      readonly sig: string;
      readonly result: string;
    }[];
  }[];
}

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, "hex"));
const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const { testGroups } = JSON.parse(read("./testdata/ed25519_test.json")) as Vectors;
const vectors = testGroups.flatMap(({ publicKey, tests }) =>
  tests.map((test) => ({ ...test, pk: bytes(publicKey.pk) })),
);

type Said = "yes" | "no" | "throws";
const said = (ask: () => boolean): Said => {
  try {
    return ask() ? "yes" : "no";
  } catch {
    return "throws";
  }
};

/** What each says of a vector, and what the vector says. */
const answers = vectors.map(({ tcId, msg, sig, result, pk }) => ({
  tcId,
  right: result === "valid" ? "yes" : "no",
  node: said(() => verify(null, bytes(msg), publicKeyFromRaw(pk).object, bytes(sig))),
  tweetnacl: said(() => nacl.sign.detached.verify(bytes(msg), bytes(sig), pk)),
}));

/** Rows of the table in docs/keys.md: vectors such as `30 to 41, 85`, then what node:crypto and tweetnacl say. */
const documented = read("../../docs/keys.md")
  .split("\n")
  .filter((line) => /^\| \d/.test(line))
  .flatMap((line) => {
    const [ids, , node, tweetnacl] = line.slice(2, -2).split(" | ");
    return ids!.split(", ").flatMap((part) => {
      const [first, last = first] = part.split(" to ").map(Number);
      return Array.from({ length: last! - first! + 1 }, (_, at) => ({ tcId: first! + at, node, tweetnacl }));
    });
  });

describe("the 151 vectors of Wycheproof", () => {
  it("are all put to both, and node:crypto says what they say", () => {
    expect(answers).toHaveLength(151);
    expect(answers.filter(({ right, node }) => node !== right)).toEqual([]);
  });

  it("on which they disagree are exactly those that docs/keys.md lists", () => {
    const disagreements = answers
      .filter(({ node, tweetnacl }) => node !== tweetnacl)
      .map(({ tcId, node, tweetnacl }) => ({ tcId, node, tweetnacl }));
    expect(documented).toEqual(disagreements);
    expect(disagreements.length).toBe(17);
  });

  it("are verified here as node:crypto does, which throws for none", () => {
    for (const { msg, sig, result, pk } of vectors) {
      expect(verifyBytes(bytes(msg), bytes(sig), publicKeyFromRaw(pk))).toBe(result === "valid");
    }
  });
});

describe("a key of small order", () => {
  const identity = `01${"00".repeat(31)}`;
  const weak = [
    identity,
    "00".repeat(32),
    `ec${"ff".repeat(30)}7f`,
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    `ed${"ff".repeat(30)}7f`,
    `ee${"ff".repeat(30)}7f`,
    `ee${"ff".repeat(31)}`,
  ];

  it.each(weak)("%s signs for everybody, and is refused in a keyring and in a file of public keys", (hex) => {
    const key = publicKeyFromRaw(bytes(hex));
    // R is the neutral point and S is nought: nobody's secret is in it. One message in eight or fewer is enough.
    const forged = bytes(identity + "00".repeat(32));
    const isForged = Array.from({ length: 64 }, (_, at) =>
      verifyBytes(bytes(at.toString(16).padStart(2, "0")), forged, key),
    );
    expect(isForged).toContain(true);
    expect(isWeakKey(key.raw)).toBe(true);
    const listed = { key_id: keyId(key.raw), public: Buffer.from(key.raw).toString("base64"), roles: ["rules"] };
    const text = ringText({ keys: [listed] });
    expect(() => trustFrom({ trust: [], keyring: { path: "r", text } })).toThrow(/keys\[0\]\.public/);
    const pem = key.object.export({ format: "pem", type: "spki" }).toString();
    expect(() => parseTrustedKeys(pem, "k.pub")).toThrow(/anybody can sign for/);
  });

  it("is none that anybody makes", () => {
    for (let made = 0; made < 50; made++) expect(isWeakKey(nacl.sign.keyPair().publicKey)).toBe(false);
  });
});
