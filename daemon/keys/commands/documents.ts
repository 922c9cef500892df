import type { JsonValue } from "../../../wire/value.ts";
import { writeFileAtomically } from "../../store/write-atomically.ts";
import type { KeyringFile } from "../change-keyring.ts";
import { KeyRefused } from "../key-error.ts";

/** The keyring with this document in this list too, once. */
export const withDocument = (file: KeyringFile, list: "handovers" | "revocations", text: string): KeyringFile => {
  const added = JSON.parse(text) as { readonly payload: string } & { readonly [key: string]: JsonValue };
  const others = (file[list] ?? []).filter((item) => (item as { payload?: unknown }).payload !== added.payload);
  return { ...file, [list]: [...others, added] };
};

/** For somebody else, to be taken with `interlock keys accept`. */
export const writeDocument = async (path: string, text: string): Promise<void> => {
  try {
    await writeFileAtomically(path, text);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    throw new KeyRefused("key_not_written", `${path} cannot be written (${code})`);
  }
};
