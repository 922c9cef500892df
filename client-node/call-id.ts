import { randomUUID } from "node:crypto";

/** A fresh identity for one call; its result is reported under the same. */
export const newCallId = (): string => randomUUID();
