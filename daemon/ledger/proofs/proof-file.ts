/** What proves one receipt to somebody who has the log's key and nothing else. */
export interface ReceiptProof {
  /** The signed checkpoint that covers the receipt. */
  readonly checkpoint: string;
  /** That the log of an older checkpoint is the beginning of this one; null where none was asked for. */
  readonly consistency: { readonly checkpoint: string; readonly nodes: readonly string[] } | null;
  /** Hex. */
  readonly hash: string;
  /** The receipt's place, from 0. */
  readonly index: number;
  /** Nodes beside the way from the receipt to the root, the lowest first: hex. */
  readonly nodes: readonly string[];
  /** The text that was hashed. */
  readonly receipt: string;
}

export const maxProofBytes = 2 * 1024 * 1024;

/** One line of JSON, its keys sorted. The receipt stands in it as it was hashed. */
export const proofLine = ({ checkpoint, consistency, hash, index, nodes, receipt }: ReceiptProof): string =>
  `{"checkpoint":${JSON.stringify(checkpoint)},"consistency":${JSON.stringify(consistency)},"hash":"${hash}"` +
  `,"index":${index},"kind":"interlock-proof","nodes":${JSON.stringify(nodes)},"receipt":${receipt},"v":1}`;

const keys = "checkpoint,consistency,hash,index,kind,nodes,receipt,v";
const isHash = (value: unknown): value is string => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const areNodes = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length <= 128 && value.every(isHash);

/** Null where the text is not exactly a proof as it is written here. */
export const parseProof = (text: string): ReceiptProof | null => {
  let value: unknown;
  try {
    value = JSON.parse(text);
    // What is nested too deep to be written again was never written.
    JSON.stringify(value);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || Object.keys(value).join() !== keys) return null;
  const { checkpoint, consistency, hash, index, kind, nodes, receipt, v } = value as Record<string, unknown>;
  if (kind !== "interlock-proof" || v !== 1 || typeof checkpoint !== "string" || !isHash(hash)) return null;
  if (!Number.isSafeInteger(index) || (index as number) < 0 || !areNodes(nodes)) return null;
  const older = parseConsistency(consistency);
  if (older === undefined || typeof receipt !== "object" || receipt === null) return null;
  const proof = {
    checkpoint,
    consistency: older,
    hash,
    index: index as number,
    nodes,
    receipt: JSON.stringify(receipt),
  };
  return proofLine(proof) === text.replace(/\n$/, "") ? Object.freeze(proof) : null;
};

/** Undefined where it is none. */
const parseConsistency = (value: unknown): ReceiptProof["consistency"] | undefined => {
  if (value === null) return null;
  if (typeof value !== "object" || Object.keys(value as object).join() !== "checkpoint,nodes") return undefined;
  const { checkpoint, nodes } = value as Record<string, unknown>;
  return typeof checkpoint === "string" && areNodes(nodes) ? { checkpoint, nodes } : undefined;
};
