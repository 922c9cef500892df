import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import nacl from "tweetnacl";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { noPassphrase, passphraseFromFile } from "./passphrase.ts";
import { generateKeyPair } from "./private-key.ts";
import { readPrivateKey } from "./read-private-key.ts";
import { boxOverheadBytes, keyBytes, nonceBytes, openSealedKey, parseSealedKey, sealKey } from "./sealed-key.ts";

const key = generateKeyPair();
/** The least that a file may ask for: these tests seal often. */
const cost = { N: 16_384, r: 8, p: 1 };
const passphrase = "correct horse battery";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "interlock-sealed-"));
});
afterEach(() => rm(folder, { recursive: true }));

const write = async (name: string, text: string, mode = 0o600): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
};

describe("a sealed key", () => {
  it("opens with its passphrase, and with no other", async () => {
    const sealed = parseSealedKey(await sealKey(key, passphrase, cost))!;
    expect((await openSealedKey(sealed, passphrase))?.seed).toEqual(key.seed);
    for (const other of ["", "Correct horse battery", `${passphrase} `]) {
      expect(await openSealedKey(sealed, other)).toBeNull();
    }
  });

  it("opens with the same letters however they were composed", async () => {
    const sealed = parseSealedKey(await sealKey(key, "caf\u00e9 caf\u00e9 caf\u00e9", cost))!;
    expect((await openSealedKey(sealed, "cafe\u0301 cafe\u0301 cafe\u0301"))?.keyId).toBe(key.keyId);
  });

  it("is another text each time, and holds neither seed nor passphrase", async () => {
    const [first, second] = [await sealKey(key, passphrase, cost), await sealKey(key, passphrase, cost)];
    expect(first).not.toBe(second);
    expect(first).not.toContain(Buffer.from(key.seed).toString("base64").slice(0, 40));
    expect(first).not.toContain(passphrase);
  });

  it("is refused as a whole where one character of it is another", async () => {
    const text = await sealKey(key, passphrase, cost);
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.integer({ min: 10, max: 126 }), async (at, code) => {
        fc.pre(text.charCodeAt(at) !== code);
        const changed = parseSealedKey(text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1));
        // A cost that is higher by one digit is slow to try, and no less a refusal.
        if (changed !== null && changed.cost.N === cost.N) expect(await openSealedKey(changed, passphrase)).toBeNull();
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ["next to nothing", "N=2 r=8 p=1"],
    ["a number that is no power of two", "N=16385 r=8 p=1"],
    ["more memory than there may be", "N=1048576 r=8 p=1"],
    ["more time than there may be", "N=16384 r=8 p=9"],
    ["wide blocks", "N=16384 r=32 p=1"],
    ["a negative one", "N=-16384 r=8 p=1"],
    ["a huge one", "N=99999999999999999999 r=8 p=1"],
  ])("is not computed where its file asks for %s", async (_what, asked) => {
    const text = (await sealKey(key, passphrase, cost)).replace("N=16384 r=8 p=1", asked);
    expect(parseSealedKey(text)).toBeNull();
    const path = await write("k", text);
    await expect(readPrivateKey(path, async () => passphrase)).rejects.toMatchObject({ code: "key_malformed" });
  });
});

describe("a sealed key file", () => {
  it("is read like another one, and its passphrase is asked for once", async () => {
    const path = await write("k", await sealKey(key, passphrase, cost));
    const asked: string[] = [];
    const source = async (question: string) => {
      asked.push(question);
      return passphrase;
    };
    expect((await readPrivateKey(path, source)).keyId).toBe(key.keyId);
    expect(asked).toEqual([`passphrase of ${path}: `]);
  });

  it("that does not open is refused with one line, the same for a wrong passphrase and an altered box", async () => {
    const text = await sealKey(key, passphrase, cost);
    const box = /^box (.)/m.exec(text)![1] === "A" ? "B" : "A";
    const altered = await write("altered", text.replace(/^box ./m, `box ${box}`));
    const whole = await write("whole", text);
    for (const [path, tried] of [
      [altered, passphrase],
      [whole, "another passphrase"],
    ] as const) {
      await expect(readPrivateKey(path, async () => tried)).rejects.toMatchObject({
        code: "passphrase_wrong",
        message: `private key ${path} does not open with this passphrase`,
      });
    }
  });

  it("is refused where nobody can be asked, and where others can read it", async () => {
    const text = await sealKey(key, passphrase, cost);
    await expect(readPrivateKey(await write("k", text))).rejects.toMatchObject({ code: "passphrase_refused" });
    await expect(readPrivateKey(await write("o", text, 0o644), noPassphrase)).rejects.toMatchObject({
      code: "key_open_to_others",
    });
  });
});

describe("a passphrase file", () => {
  it("holds one line, with its end or without", async () => {
    for (const text of [passphrase, `${passphrase}\n`]) {
      expect(await passphraseFromFile(await write("p", text))("")).toBe(passphrase);
    }
  });

  it.each([
    ["is empty", "", 0o600, "passphrase_refused"],
    ["holds two lines", "a\nb", 0o600, "passphrase_refused"],
    ["is too long", "x".repeat(2_000), 0o600, "key_malformed"],
    ["can be read by others", passphrase, 0o640, "key_open_to_others"],
  ])("is refused where it %s", async (_what, text, mode, code) => {
    await expect(passphraseFromFile(await write("p", text, mode))("")).rejects.toMatchObject({ code });
  });
});

it("has the lengths of tweetnacl's secretbox", () => {
  const { keyLength, nonceLength, overheadLength } = nacl.secretbox;
  expect({ keyBytes, nonceBytes, boxOverheadBytes }).toEqual({
    keyBytes: keyLength,
    nonceBytes: nonceLength,
    boxOverheadBytes: overheadLength,
  });
});
