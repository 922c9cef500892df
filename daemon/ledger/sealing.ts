import { randomBytes } from "node:crypto";
import { nacl } from "../keys/tweetnacl.ts";

/** `secretbox`'s own: a test holds it equal. */
const nonceBytes = 24;

/** Seals answers under the store key. The place (`chain:seq`) is sealed in, so a box moved to another row does not open. */
export interface Sealer {
  seal(place: string, text: string): Uint8Array;
  /** The text, or null where the box is not one that was sealed for this place under this key. */
  open(place: string, box: Uint8Array): string | null;
}

export const sealer = (key: Uint8Array): Sealer => ({
  seal(place, text) {
    const nonce = randomBytes(nonceBytes);
    return Buffer.concat([nonce, nacl().secretbox(Buffer.from(`${place}\n${text}`), nonce, key)]);
  },
  open(place, box) {
    // Copied: the driver's buffers are of another class, which tweetnacl refuses.
    const bytes = Uint8Array.from(box);
    if (bytes.length < nonceBytes) return null;
    const opened = nacl().secretbox.open(bytes.subarray(nonceBytes), bytes.subarray(0, nonceBytes), key);
    if (opened === null) return null;
    const text = Buffer.from(opened).toString("utf8");
    return text.startsWith(`${place}\n`) ? text.slice(place.length + 1) : null;
  },
});
