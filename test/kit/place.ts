import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { copyFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { generateKeyPair, type PrivateKey } from "../../daemon/keys/private-key.ts";
import { writeKeyPair } from "../../daemon/keys/write-key-pair.ts";
import { signRuleSet } from "../../daemon/rulesets/sign.ts";

const directories: string[] = [];
afterAll(() => {
  // A daemon that is being ended may write for a moment longer.
  for (const directory of directories) rmSync(directory, { recursive: true, force: true, maxRetries: 20 });
});

/** A directory of mode 0700 with a name short enough for a socket in it; it goes when the test file ends. */
export const shortDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir().length <= 40 ? tmpdir() : "/tmp", "il-"));
  directories.push(directory);
  return directory;
};

/** What one daemon is given: a home with its configuration, rules and trusted key. */
export interface Place {
  readonly home: string;
  readonly socket: string;
  readonly state: string;
  readonly rules: string;
  readonly trust: string;
  readonly config: string;
  readonly env: NodeJS.ProcessEnv;
}

const workshop = shortDirectory();
let key: Promise<{ readonly key: PrivateKey; readonly privatePath: string; readonly publicPath: string }> | null = null;

/** The key of this test file, and where it lies. */
export const signingKey = (): NonNullable<typeof key> => {
  key ??= (async () => {
    const made = generateKeyPair();
    return { key: made, ...(await writeKeyPair(join(workshop, "key"), made)) };
  })();
  return key;
};

const signed = new Map<string, Promise<string>>();

/** The signed file of a rule module's text; each text is signed once. */
export const signedRules = (source: string): Promise<string> => {
  const name = createHash("sha256").update(source).digest("hex").slice(0, 16);
  const known = signed.get(name) ?? signText(source, name);
  signed.set(name, known);
  return known;
};

const signText = async (source: string, name: string): Promise<string> => {
  const entry = join(workshop, `${name}.ts`);
  const out = join(workshop, `${name}.ruleset.json`);
  await writeFile(entry, source);
  await signRuleSet({ entry, key: (await signingKey()).key, out, now_ms: Date.now(), not_after_ms: null });
  return out;
};

/** Puts a rule module, signed, where the daemon of this place reads it: whole or not at all. */
export const putRules = async (place: Place, source: string): Promise<void> => {
  await copyFile(await signedRules(source), `${place.rules}.new`);
  await rename(`${place.rules}.new`, place.rules);
};

export const makePlace = async (source: string, settings = "unknown: allow\n"): Promise<Place> => {
  const home = shortDirectory();
  const { publicPath } = await signingKey();
  const place: Place = {
    home,
    socket: join(home, "g.sock"),
    state: join(home, "state"),
    rules: join(home, "rules.ruleset.json"),
    trust: publicPath,
    config: join(home, "interlock.yaml"),
    // Nothing of this process's own configuration reaches it.
    env: { HOME: home, INTERLOCK_HOME: home },
  };
  await putRules(place, source);
  await writeFile(
    place.config,
    `socket: g.sock\nstate: state\nrules: [rules.ruleset.json]\ntrust: [${JSON.stringify(publicPath)}]\n${settings}`,
  );
  return place;
};
