import { hash } from "node:crypto";

/** 32 bytes. RFC 6962, section 2.1: a leaf and a node begin with different bytes, so that neither is taken for the other. */
export type TreeHash = Uint8Array;

export const treeHashBytes = 32;

/** Written over with each hash: one of a leaf or a node is made for every receipt. */
const leafInput = new Uint8Array(1 + treeHashBytes);
const nodeInput = new Uint8Array(1 + 2 * treeHashBytes);
nodeInput[0] = 1;

const sha256 = (bytes: Uint8Array): TreeHash => hash("sha256", bytes, "buffer");

/** The root of a tree without leaves. */
export const emptyRoot: TreeHash = sha256(new Uint8Array(0));

/** @param receiptHash 32 bytes: a receipt's hash is its leaf's data. Throws RangeError. */
export const leafHash = (receiptHash: Uint8Array): TreeHash => {
  if (receiptHash.length !== treeHashBytes) throw new RangeError("a receipt's hash has 32 bytes");
  leafInput.set(receiptHash, 1);
  return sha256(leafInput);
};

/** The same of the 64 hex digits that a receipt's hash is written in. Throws RangeError. */
export const leafHashOfHex = (receiptHash: string): TreeHash => {
  if (
    Buffer.from(leafInput.buffer, leafInput.byteOffset + 1, treeHashBytes).write(receiptHash, "hex") !== treeHashBytes
  ) {
    throw new RangeError("a receipt's hash has 64 hex digits");
  }
  return sha256(leafInput);
};

export const nodeHash = (left: TreeHash, right: TreeHash): TreeHash => {
  nodeInput.set(left, 1);
  nodeInput.set(right, 1 + treeHashBytes);
  return sha256(nodeInput);
};

export const sameHash = (one: TreeHash, other: TreeHash): boolean => Buffer.compare(one, other) === 0;
