import { maxDocumentBytes } from "../../wire/signed-document.ts";
import { FileUnread, readRegularFile } from "../store/regular-file.ts";
import { PolicyRefused } from "./refusal.ts";

/** A policy's bytes, as it is written or signed; null where there is no file. @throws PolicyRefused */
export const readPolicyFile = async (path: string): Promise<Buffer | null> => {
  try {
    return await readRegularFile(path, maxDocumentBytes);
  } catch (error) {
    if (!(error instanceof FileUnread)) throw error;
    if (error.why === "missing") return null;
    throw new PolicyRefused("policy_unreadable", error.message);
  }
};

/** The same of a file that has to be there. */
export const readExistingPolicyFile = async (path: string): Promise<Buffer> => {
  const bytes = await readPolicyFile(path);
  if (bytes === null) throw new PolicyRefused("policy_unreadable", `${path} does not exist`);
  return bytes;
};
