import { ExitCode, Refusal } from "../../exit-codes.ts";
import { readGivenFile } from "../read-given-file.ts";
import { maxProofBytes, parseProof, type ReceiptProof } from "./proof-file.ts";

/** A proof of its file. Throws Refusal. */
export const readProof = async (path: string): Promise<ReceiptProof> => {
  const proof = parseProof((await readGivenFile(path, "the proof", maxProofBytes)).toString("utf8"));
  if (proof === null) throw new Refusal(ExitCode.refused, `${path} is not a proof of a receipt`);
  return proof;
};
