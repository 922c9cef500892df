/**
 * The wire: canonical JSON, the value codec, frames and their shapes. No dependency and no I/O; shared by daemon and clients.
 *
 *     bytes -> FrameReader -> line -> parseRequest -> Request -> (the daemon) -> responseFrame -> bytes
 *     bytes <- eventFrame <- event <- (the client) <- Answer <- parseAnswer <- line <- FrameReader <- bytes
 */
export { admit } from "./admission.ts";
export { type Answer, parseAnswer, parseResponse } from "./answer.ts";
export type { HealthAnswer, HelloAnswer } from "./answer-bodies.ts";
export { canonical, canonicalJson } from "./canonical.ts";
export { type CodecOptions, decodeValue, encodeValue } from "./codec.ts";
export type { Decision, DecisionDetails } from "./decision.ts";
export { isWireErrorCode, Unrepresentable, WireError, type WireErrorCode, wireErrorCodes } from "./errors.ts";
export type { Phase, ReceivedEvent, SensorEvent } from "./event.ts";
export {
  allFeatures,
  commonFeatures,
  type FeatureName,
  type FeatureSet,
  featureNames,
  featureSet,
  listFeatures,
  noFeatures,
  parseFeatures,
} from "./features.ts";
export { decodeLine, encodeFrame } from "./frame.ts";
export { FrameReader } from "./frame-reader.ts";
export { deepFreeze } from "./freeze.ts";
export * from "./limits.ts";
export type { OfflineBody, OfflineDecision } from "./offline-body.ts";
export { parseRequest, type Request, type RequestKind } from "./request.ts";
export type { HelloBody, OutcomeBody, ResumeBody } from "./request-bodies.ts";
export type { EventToSend } from "./request-event-frame.ts";
export {
  eventFrame,
  eventFrame as requestFrame,
  healthFrame,
  helloFrame,
  offlineFrame,
  outcomeFrame,
  resumeFrame,
  surfaceFrame,
} from "./request-frame.ts";
export { errorFrame, healthAnswerFrame, helloAnswerFrame, responseFrame } from "./response.ts";
export { isScopePin, scopePin } from "./scope-pin.ts";
export type { PackageIdentity, ServerIdentity } from "./server-identity.ts";
export type { NamedServer, SurfaceBody } from "./surface-body.ts";
export type { JsonObject, JsonValue, WireObject, WireValue } from "./value.ts";
export { Verdict, type VerdictName, verdictName } from "./verdict.ts";
