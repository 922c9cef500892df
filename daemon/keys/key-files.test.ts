import { generateKeyPairSync } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readKeyFile } from "./key-file.ts";
import { generateKeyPair } from "./private-key.ts";
import { readPrivateKey } from "./read-private-key.ts";
import { parseTrustedKeys, readTrustedKeys } from "./read-trusted-keys.ts";
import { writeKeyPair } from "./write-key-pair.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "interlock-keys-"));
});
afterEach(() => rm(folder, { recursive: true }));

const write = async (name: string, text: string, mode: number): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
};

describe("a key pair on disk", () => {
  it("is written with the modes it is read with, and comes back", async () => {
    const key = generateKeyPair();
    const { privatePath, publicPath } = await writeKeyPair(join(folder, "k"), key);
    expect((await stat(privatePath)).mode & 0o777).toBe(0o600);
    expect((await stat(publicPath)).mode & 0o777).toBe(0o644);
    expect((await readPrivateKey(privatePath)).seed).toEqual(key.seed);
    expect((await readTrustedKeys(publicPath)).map(({ keyId }) => keyId)).toEqual([key.keyId]);
    expect((await readdir(folder)).sort()).toEqual(["k", "k.pub"]);
  });

  it.each(["k", "k.pub"])("is not written over an existing %s, and leaves nothing behind", async (name) => {
    await write(name, "mine", 0o600);
    await expect(writeKeyPair(join(folder, "k"), generateKeyPair())).rejects.toMatchObject({ code: "key_exists" });
    expect(await readdir(folder)).toEqual([name]);
    expect(await readFile(join(folder, name), "utf8")).toBe("mine");
  });

  it("is refused where its folder does not exist", async () => {
    const path = join(folder, "no", "k");
    await expect(writeKeyPair(path, generateKeyPair())).rejects.toMatchObject({ code: "key_not_written" });
  });
});

describe("a private key file is refused", () => {
  const pem = (): string => generateKeyPair().object.export({ format: "pem", type: "pkcs8" }).toString();

  it("when it is missing", async () => {
    await expect(readPrivateKey(join(folder, "k"))).rejects.toMatchObject({ code: "key_missing" });
  });

  it.each([0o640, 0o604, 0o660, 0o606, 0o610])("when its mode is %o", async (mode) => {
    await expect(readPrivateKey(await write("k", pem(), mode))).rejects.toMatchObject({ code: "key_open_to_others" });
  });

  it("when it is a symbolic link", async () => {
    await symlink(await write("real", pem(), 0o600), join(folder, "k"));
    await expect(readPrivateKey(join(folder, "k"))).rejects.toMatchObject({ code: "key_symlink" });
  });

  it("when it is a directory", async () => {
    await expect(readPrivateKey(folder)).rejects.toMatchObject({ code: "key_not_a_file" });
  });

  it.each([
    ["empty", () => ""],
    ["not PEM", () => "hello"],
    ["a public key", () => generateKeyPair().publicKey.object.export({ format: "pem", type: "spki" }).toString()],
    ["two keys", () => pem() + pem()],
    ["cut short", () => pem().slice(0, -20)],
    ["of garbage", () => "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"],
    ["followed by text", () => `${pem()}x`],
    [
      "of another algorithm",
      () => generateKeyPairSync("x25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
    ],
    ["too large", () => `#${"x".repeat(70_000)}\n${pem()}`],
  ])("when it is %s", async (_what, text) => {
    const refused = readPrivateKey(await write("k", text(), 0o600));
    await expect(refused).rejects.toMatchObject({ name: "KeyRefused", code: "key_malformed" });
    await expect(refused).rejects.toThrow(/^private key [^\n]*$/);
  });

  it("when it belongs to another user", async () => {
    const path = await write("k", pem(), 0o600);
    await expect(readKeyFile(path, "private", { user: 54_321 })).rejects.toMatchObject({ code: "key_foreign_owner" });
  });
});

describe("a file of trusted keys", () => {
  const pem = (): string => generateKeyPair().publicKey.object.export({ format: "pem", type: "spki" }).toString();

  it("holds several keys, empty lines and comments", async () => {
    const path = await write("t", `# team a\n${pem()}\n\n# team b\n${pem()}`, 0o644);
    expect(await readTrustedKeys(path)).toHaveLength(2);
  });

  it.each([
    ["holds none", () => "# nobody\n"],
    ["holds a private key", () => generateKeyPair().object.export({ format: "pem", type: "pkcs8" }).toString()],
    ["holds one good and one bad key", () => `${pem()}-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n`],
    ["holds too many", () => pem().repeat(65)],
  ])("is refused when it %s", (_what, text) => {
    expect(() => parseTrustedKeys(text(), "t")).toThrow(expect.objectContaining({ code: "key_malformed" }));
  });

  it("is refused when others can write it", async () => {
    await expect(readTrustedKeys(await write("t", pem(), 0o666))).rejects.toMatchObject({ code: "key_open_to_others" });
  });

  it("is refused when it is missing", async () => {
    await expect(readTrustedKeys(join(folder, "t"))).rejects.toMatchObject({ code: "key_missing" });
  });
});
