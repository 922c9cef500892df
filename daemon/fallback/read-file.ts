import { open } from "node:fs/promises";
import { maxDocumentBytes } from "../../wire/signed-document.ts";
import { PolicyRefused } from "./refusal.ts";

/** A file's bytes, read once; null where there is none. @throws PolicyRefused */
export const readPolicyFile = async (path: string): Promise<Buffer | null> => {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(path, "r");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    throw new PolicyRefused("policy_unreadable", `${path} cannot be read (${code ?? "unknown error"})`);
  }
  try {
    const bytes = Buffer.alloc(maxDocumentBytes + 1);
    let length = 0;
    for (let count = -1; count !== 0 && length < bytes.length; length += count) {
      count = (await handle.read(bytes, length, bytes.length - length, length)).bytesRead;
    }
    if (length <= maxDocumentBytes) return bytes.subarray(0, length);
    throw new PolicyRefused("policy_unreadable", `${path}: larger than ${maxDocumentBytes} bytes`);
  } catch (error) {
    if (error instanceof PolicyRefused) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new PolicyRefused("policy_unreadable", `${path} cannot be read (${code ?? "unknown error"})`);
  } finally {
    await handle.close();
  }
};

/** The same of a file that has to be there. */
export const readExistingPolicyFile = async (path: string): Promise<Buffer> => {
  const bytes = await readPolicyFile(path);
  if (bytes === null) throw new PolicyRefused("policy_unreadable", `${path} does not exist`);
  return bytes;
};
