import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { publicKeyText } from "../daemon/keys/payload.ts";
import { generateKeyPair } from "../daemon/keys/private-key.ts";
import { signScopes } from "../daemon/scopes/sign.ts";

const templates = `templates:
  tools:
    params: { allowed: { type: strings, merge: union } }
    policy: { tools: ["*"], except: { param: allowed }, then: deny }
  ceiling:
    params: { max: { type: number } }
    policy: { tools: [refund], when: { amount: { gt: { param: max } } }, then: deny }
`;

const scope = (path: string, max: number): string =>
  `  ${path}: [{ template: tools, params: { allowed: [refund] } }, { template: ceiling, params: { max: ${max} } }]\n`;

/** A document of `count` scopes, one of which is the benchmark's principal's. */
const documentText = (count: number): string => {
  const others = Array.from({ length: count - 1 }, (_, at) => scope(`team${at % 50}/agent${at}`, 1000 + at));
  return `id: bench\nversion: 1\n${templates}scopes:\n${scope("acme/agent42", 1000)}${others.join("")}`;
};

/** Signs such a document in a folder, believed by a keyring there. Returns the daemon's flags for it. */
export const scopeFlags = async (folder: string, count: number): Promise<readonly string[]> => {
  const [path, out, keyring] = [
    join(folder, "scopes.yaml"),
    join(folder, "scopes.signed.json"),
    join(folder, "keyring.json"),
  ];
  const key = generateKeyPair();
  await writeFile(path, documentText(count));
  await signScopes({ path, key, out, now_ms: Date.now() });
  const keys = [{ key_id: key.keyId, public: publicKeyText(key.publicKey), roles: ["scopes"] }];
  await writeFile(keyring, JSON.stringify({ v: 1, keys }), { mode: 0o644 });
  return ["--scope-document", out, "--keyring", keyring];
};
