import { canonicalJson } from "../../wire/canonical.ts";
import { featureSet } from "../../wire/features.ts";
import { parseRequest } from "../../wire/request.ts";
import type { Settings } from "../config/settings.ts";
import { callDigest } from "../engine/digest.ts";
import { namedIn } from "../identity/acting.ts";
import type { IdentityRules } from "../identity/identity-rules.ts";
import { decisionRecord, nothingBesides } from "../ledger/decision-record.ts";
import { openConfiguredLedger } from "../ledger/open-configured.ts";
import { receivedAs } from "../socket/identified.ts";
import type { SessionStamp } from "../socket/session.ts";
import type { EngineEndRecorder } from "./engine-end.ts";

/**
 * Called on the main thread, after the engine's thread has ended and before the next one starts: there is one writer
 * of the chain at any moment. A ledger that cannot be written now costs the record, never the block: the call was not
 * answered, and its digest keeps it from being judged again.
 */
export const engineEndRecorder =
  (settings: Settings, log: (line: string) => void): EngineEndRecorder =>
  async (end, request, { rules, rules_version, chain }) => {
    const asked = questionIn(request, settings);
    const digest = asked === null ? null : callDigest(asked.received.event, asked.argsCanonical);
    try {
      const time_ms = Date.now();
      const ledger = await openConfiguredLedger(settings, chain, time_ms);
      try {
        if (end.judged !== null && asked !== null) {
          const from = {
            time_ms,
            event: asked.received.event,
            argsCanonical: asked.argsCanonical,
            session: asked.session.key,
            request: asked.received.id,
            loaded: { digest: rules, version: rules_version },
            acting: asked.acting,
            client: asked.session.client,
            grade: asked.received.grade,
          };
          const answered =
            from.session !== null &&
            (await ledger.findDecision({ ...questionOf(from), now_ms: time_ms, stopped_ms: 0 })) !== null;
          if (!answered) await ledger.append([decisionRecord(from, end.judged, nothingBesides)]);
        }
        await ledger.appendControl({
          time_ms,
          event: "engine_restarted",
          rules,
          rules_before: rules,
          detail: end.line,
        });
      } finally {
        await ledger.close();
      }
    } catch {
      log("the end of the engine could not be recorded: the ledger cannot be written");
    }
    return digest;
  };

const questionIn = (
  { line, session }: { readonly line: Uint8Array; readonly session: string },
  rules: IdentityRules,
) => {
  try {
    const stamp = JSON.parse(session) as SessionStamp;
    const request = parseRequest(line, featureSet(stamp.features));
    if (request.kind !== "event") return null;
    // It was being judged, so that its token stood; who acts follows from the names alone.
    const acting = namedIn(request.event, stamp.identity, rules);
    const received = { id: request.id, ...receivedAs(request, acting) };
    return { received, acting, session: stamp, argsCanonical: canonicalJson(request.argsJson) };
  } catch {
    // The engine ended before it had stamped a whole request: there is no call to decide.
    return null;
  }
};

const questionOf = (from: Parameters<typeof decisionRecord>[0]) => ({
  session: from.session as string,
  request: from.request,
  action: from.event.action,
  phase: from.event.phase,
  principal: from.event.principal,
  parent_principal: from.event.parent_principal,
  span_id: from.event.span_id,
  call_id: from.event.call_id,
  argsCanonical: from.argsCanonical,
});
