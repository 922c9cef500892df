import type { Trust } from "../keys/trust.ts";

/** How late a key's last day, or its revocation, may be noticed on a connection that is open. A reload is noticed at once. */
const lookAgain_ms = 1_000;

/** Whether a key is believed in the role `tokens`, for whoever asks with every call. */
export const believedKeys = (trust: () => Pick<Trust, "keysOf">) => {
  let ids: ReadonlySet<string> = new Set();
  let from: Pick<Trust, "keysOf"> | null = null;
  let looked_ms = 0;
  return (keyId: string, now_ms: number): boolean => {
    const current = trust();
    if (current !== from || Math.abs(now_ms - looked_ms) >= lookAgain_ms) {
      ids = new Set(current.keysOf("tokens", now_ms).map((key) => key.keyId));
      from = current;
      looked_ms = now_ms;
    }
    return ids.has(keyId);
  };
};
