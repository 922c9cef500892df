import { timeText } from "../../wire/utc-time.ts";
import type { KeyringTrust } from "./keyring-trust.ts";

/** Long enough before its last day for a key to be handed over. */
export const warnBefore_ms = 14 * 86_400_000;

/** One line for each believed key whose days end soon. */
export const nearExpiry = (trust: KeyringTrust, now_ms: number): readonly string[] =>
  trust.lines
    .filter(({ role, key }) => trust.standingOf(role, key.keyId, now_ms) === "believed")
    .flatMap(({ role, key, not_after_ms }) =>
      not_after_ms !== null && not_after_ms - now_ms < warnBefore_ms
        ? [
            `key ${key.keyId} is trusted with ${role} until ${timeText(not_after_ms)}; hand it over: interlock keys handover`,
          ]
        : [],
    );
