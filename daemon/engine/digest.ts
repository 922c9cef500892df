import { createHash } from "node:crypto";
import type { SensorEvent } from "../../wire/event.ts";

/**
 * What makes two calls the same call to a rule: action, phase, principal, arguments. The repeat of a call that made a
 * rule overrun is recognised by it, whoever asks and under whatever id.
 */
export const callDigest = (event: SensorEvent, argsCanonical: string): string =>
  createHash("sha256")
    .update(JSON.stringify(["interlock call v1", event.action, event.phase, event.principal, event.parent_principal]))
    .update("\n")
    .update(argsCanonical)
    .digest("base64url");
