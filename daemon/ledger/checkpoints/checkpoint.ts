import { sign } from "node:crypto";
import { decodeBase64, encodeBase64 } from "../../../wire/base64.ts";
import type { PrivateKey } from "../../keys/private-key.ts";
import type { PublicKey } from "../../keys/public-key.ts";
import type { TreeHead } from "../tree/consistency.ts";
import { treeHashBytes } from "../tree/tree-hash.ts";
import type { SignedNote } from "./signed-note.ts";
import { type VerifierKey, verifierKey } from "./verifier-key.ts";

/** What a note of a log says (C2SP tlog-checkpoint): this log has these leaves. Ours have no extension lines. */
export interface Checkpoint extends TreeHead {
  /** The log's name: `interlock/<chain>`. */
  readonly origin: string;
}

/** @param chain 32 hex digits. */
export const originOf = (chain: string): string => `interlock/${chain}`;

const body = /^([^\n]{1,1024})\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n$/u;

/** Null where the text of a note is not exactly an origin, a size and a root. */
export const parseCheckpoint = (text: string): Checkpoint | null => {
  const lines = body.exec(text);
  if (lines === null) return null;
  const [, origin, digits, encoded] = lines as unknown as readonly [string, string, string, string];
  const size = Number(digits);
  const root = decodeBase64(encoded);
  if (!Number.isSafeInteger(size) || root?.length !== treeHashBytes) return null;
  return Object.freeze({ origin, size, root });
};

export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${encodeBase64(root)}\n`;

/** The key that verifies a chain's own checkpoints: its name is the log's. */
export const logKey = (chain: string, publicKey: PublicKey): VerifierKey =>
  verifierKey(originOf(chain), "log", publicKey);

/** Signed by node:crypto, which takes a fiftieth of tweetnacl's time; a test holds them equal. */
export const signCheckpoint = (checkpoint: Checkpoint, key: PrivateKey): SignedNote => {
  const text = checkpointText(checkpoint);
  const { name, keyHash } = verifierKey(checkpoint.origin, "log", key.publicKey);
  const signature = new Uint8Array(sign(null, Buffer.from(text, "utf8"), key.object));
  return Object.freeze({ text, signatures: Object.freeze([Object.freeze({ name, keyHash, signature })]) });
};
