import type { EventData, V1Case, V1Decision, V1Negative } from "./format.ts";

const event = (
  action: string,
  args: EventData["args"],
  phase: EventData["phase"] = "call",
  who: Pick<EventData, "principal" | "parent_principal"> = {},
): EventData => ({ action, args, phase, ...who });

const decision = (verdict: V1Decision["verdict"], fields: Partial<V1Decision> = {}): V1Decision => ({
  verdict,
  reason: "",
  policy_id: null,
  attributed_to: null,
  modified_args: null,
  modified_result: null,
  note: "",
  ...fields,
});

const ignored = { result: "ignored" };

/** The thirteen cases of wire v1, with their names and expectations. */
export const v1Cases: readonly V1Case[] = [
  {
    name: "allow-with-no-opinion",
    note: "No rule speaks, so the call runs.",
    event: event("ping", {}),
    expect: decision("ALLOW"),
  },
  {
    name: "block-names-the-triggering-argument",
    note: "The attribution is the argument's name; its value stands in no field.",
    event: event("read_file", { path: "/etc/passwd" }),
    expect: decision("BLOCK", { reason: "etc is off limits", policy_id: "p.no-etc", attributed_to: "path" }),
  },
  {
    name: "block-with-no-attribution",
    note: "A block need name no policy and no argument.",
    event: event("rm_rf", {}),
    expect: decision("BLOCK", { reason: "tool not permitted" }),
  },
  {
    name: "modify-rewrites-the-request",
    note: "The call runs with other arguments.",
    event: event("write_file", { path: "/etc/hosts" }),
    expect: decision("MODIFY", {
      reason: "path quarantined",
      policy_id: "p.quarantine",
      attributed_to: "path",
      modified_args: { path: "/tmp/quarantine" },
    }),
  },
  {
    name: "modify-replaces-a-non-dict-result",
    note: "A result that is no object is shown as {result: value} and replaced as a value.",
    event: event("fetch_url", { result: "token secret" }, "result"),
    expect: decision("MODIFY", {
      reason: "secret in result",
      policy_id: "p.result-redact",
      attributed_to: "result",
      modified_result: "redacted",
    }),
  },
  {
    name: "modify-replaces-a-dict-result",
    note: "A result that is an object is judged as it is and replaced whole.",
    event: event("read_dict", { secret: "s", title: "a" }, "result"),
    expect: decision("MODIFY", {
      reason: "secret stripped",
      policy_id: "p.result-strip",
      attributed_to: "secret",
      modified_result: { title: "a" },
    }),
  },
  {
    name: "bytes-survive-the-round-trip",
    note: "Bytes come back as bytes.",
    event: event("read_binary", ignored, "result"),
    expect: decision("MODIFY", {
      reason: "binary replaced",
      policy_id: "p.result-binary",
      modified_result: { kind: "bytes", hex: "0001ff" },
    }),
  },
  {
    name: "a-set-is-normalised-to-a-sorted-list",
    note: "JSON has no sets: one becomes a list in the order of its members' canonical text.",
    event: event("read_set", ignored, "result"),
    expect: decision("MODIFY", {
      reason: "set normalised",
      policy_id: "p.result-set",
      modified_result: [1, 2, 3],
    }),
  },
  {
    name: "a-null-replacement-means-no-replacement",
    note: "Null is how the wire says that the result stays.",
    event: event("read_null", ignored, "result"),
    expect: decision("MODIFY", { reason: "no replacement", policy_id: "p.result-null" }),
  },
  {
    name: "an-untransmittable-rewrite-is-refused",
    note: "A replacement with no JSON form is an error frame, and the client blocks.",
    event: event("read_opaque", ignored, "result"),
    expect: { error: "unrepresentable", note: "" },
  },
  {
    name: "call-side-rules-do-not-judge-results",
    note: "A rule for calls would block this; it must not see a result.",
    event: event("read_file", { path: "/tmp/notes" }, "result"),
    expect: decision("ALLOW"),
  },
  {
    name: "principal-crosses-the-wire",
    note: "Who acts reaches the rules.",
    event: event("ping", {}, "call", { principal: "untrusted-agent" }),
    expect: decision("BLOCK", { reason: "untrusted principal", policy_id: "p.untrusted-principal" }),
  },
  {
    name: "parent-principal-crosses-the-wire",
    note: "Who delegated reaches the rules.",
    event: event("ping", {}, "call", { parent_principal: "root-agent" }),
    expect: decision("BLOCK", { reason: "spawned by root-agent", policy_id: "p.root-agent-parent" }),
  },
];

const frame = (name: string, line: string, error: string, note: string): V1Negative => ({
  name,
  note,
  kind: "frame",
  line,
  error,
});

/** The nine negatives of wire v1. Only the error's code is asserted. */
export const v1Negatives: readonly V1Negative[] = [
  frame(
    "unknown-protocol-version",
    '{"event":{"action":"ping","args":{}},"id":"n-version","v":2}',
    "bad_version",
    "An unknown version is refused, never guessed.",
  ),
  frame(
    "misspelled-args-key-is-refused-not-ignored",
    '{"event":{"action":"ping","arg":{}},"id":"n-typo","v":1}',
    "bad_request",
    "Ignoring it would judge a call without its arguments.",
  ),
  frame(
    "missing-args-is-refused",
    '{"event":{"action":"ping"},"id":"n-noargs","v":1}',
    "bad_request",
    "Arguments are never defaulted to {}.",
  ),
  frame(
    "args-must-be-an-object",
    '{"event":{"action":"ping","args":[]},"id":"n-args-type","v":1}',
    "bad_request",
    "A list has no argument names to judge.",
  ),
  frame(
    "phase-is-case-sensitive",
    '{"event":{"action":"ping","args":{},"phase":"Result"},"id":"n-phase","v":1}',
    "bad_request",
    "A phase that is nearly right is wrong.",
  ),
  frame(
    "unknown-event-key-is-refused",
    '{"event":{"action":"ping","args":{},"extra":1},"id":"n-extra","v":1}',
    "bad_request",
    "A key that the daemon does not know may carry what must be judged.",
  ),
  frame(
    "missing-id-is-refused",
    '{"event":{"action":"ping","args":{}},"id":"","v":1}',
    "bad_request",
    "An answer must be matched to its question.",
  ),
  frame("malformed-json-is-refused", '{"v":1,"id":"n-json","event":', "bad_request", "Half a frame is no frame."),
  {
    name: "oversized-frame-is-refused",
    note: "8388609 bytes of x and a newline: refused before it is parsed, and the connection closes.",
    kind: "oversized",
    error: "too_large",
  },
];
