import { type FeatureName, featureSet } from "../../wire/features.ts";
import { eventFrame, helloFrame } from "../../wire/request-frame.ts";

const everyFeature: readonly FeatureName[] = ["call_id", "details", "escalate", "escape", "replace_args", "resend"];

/** A hello as a client sends it. A nonce that comes back is a session that comes back. */
export const helloLine = (
  nonce = "a-nonce-of-some-length",
  features: readonly FeatureName[] = everyFeature,
  scope: string | null = null,
): Buffer =>
  Buffer.from(helloFrame("hello", { client: "kit/1.0.0", features: featureSet(features), nonce, scope, token: null }));

/** One call as a client sends it. */
export const eventLine = (
  id: string,
  action: string,
  args: Readonly<Record<string, unknown>>,
  identity: { readonly principal?: string; readonly call_id?: string } = {},
): Buffer => Buffer.from(eventFrame(id, { action, args, phase: "call", ...identity }, featureSet(everyFeature)));
