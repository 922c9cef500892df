import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generateKeyPair } from "../../../daemon/keys/private-key.ts";
import { writeKeyPair } from "../../../daemon/keys/write-key-pair.ts";
import { signRuleSet } from "../../../daemon/rulesets/sign.ts";

const directories: string[] = [];
process.on("exit", () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** AF_UNIX paths hold some 104 bytes: sockets lie below this. It goes when this process ends. */
export const shortDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir().length <= 40 ? tmpdir() : "/tmp", "il-"));
  directories.push(directory);
  return directory;
};

const makeKey = async () => {
  const folder = shortDirectory();
  const key = generateKeyPair();
  return { folder, key, ...(await writeKeyPair(join(folder, "key"), key)) };
};

let made: ReturnType<typeof makeKey> | undefined;
const signed = new Map<string, Promise<string>>();

/** The public key that every rule set of this process is signed by. */
export const trustedKey = async (): Promise<string> => {
  made ??= makeKey();
  return (await made).publicPath;
};

const sign = async (name: string): Promise<string> => {
  made ??= makeKey();
  const { folder, key } = await made;
  const entry = fileURLToPath(new URL(`../rules/${name}.ts`, import.meta.url));
  const out = join(folder, `${name}.ruleset.json`);
  await signRuleSet({ entry, key, out, now_ms: Date.now(), not_after_ms: null });
  return out;
};

/** The signed file of `rules/NAME.ts`; each is signed once. */
export const signedRules = (name: string): Promise<string> => {
  const known = signed.get(name) ?? sign(name);
  signed.set(name, known);
  return known;
};
