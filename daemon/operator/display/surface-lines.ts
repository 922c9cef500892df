import type { Finding } from "../../surfaces/finding.ts";
import { comparePlaces } from "../../surfaces/review/places.ts";
import { type RenderTerms, renderPlaces } from "../../surfaces/review/render.ts";
import { shownText } from "../../surfaces/review/signs.ts";
import type { ServerKey } from "../../surfaces/surface.ts";
import type { BaselineView, DriftDetail, DriftView, ServerView } from "../surfaces-service.ts";
import { isoText } from "./time-text.ts";

/** `orders`, `orders for sha256:...`. */
export const serverName = ({ server, credential }: ServerKey): string =>
  credential === null ? shownText(server) : `${shownText(server)} for ${credential}`;

/** As commands take it: `tool:send_mail`, `instructions`. */
export const itemName = ({ kind, name }: { readonly kind: string; readonly name: string }): string =>
  name === "" ? kind : `${kind}:${shownText(name)}`;

export const serverLine = (view: ServerView): string => {
  const { baseline, denied, environment, items, monitored, probes, quarantined, self, trust } = view;
  const approved =
    baseline === null ? "nothing approved" : `baseline ${baseline.version} by ${shownText(baseline.approved_by)}`;
  const drift = [
    ...(quarantined > 0 ? [`${quarantined} quarantined`] : []),
    ...(denied > 0 ? [`${denied} denied`] : []),
    ...(monitored > 0 ? [`${monitored} changed`] : []),
    ...(self === "none" ? [] : [`the server itself: ${self}`]),
  ];
  const state = [
    trustWords[trust],
    environment === "production" ? "production" : `non-production${probes ? ", probes on" : ""}`,
  ];
  return `${serverName(view)}: ${counted(items)}, ${approved}; ${drift.length === 0 ? "as approved" : drift.join(", ")}; ${state.join(", ")}`;
};

const trustWords: Readonly<Record<ServerView["trust"], string>> = {
  first_use: "taken at first use",
  operator: "trusted",
  removed: "removed",
};

/** What `rebaseline` names. */
export const reviewLines = ({
  current_hash,
  candidate_hash,
  observed_ms,
  first_seen_ms,
}: ServerView): readonly string[] => [
  `  first seen ${isoText(first_seen_ms)}, last changed ${isoText(observed_ms)}`,
  `  current   ${current_hash ?? "none"}`,
  `  candidate ${candidate_hash}`,
];

export const driftLine = (view: DriftView): string => {
  const { action, severity, since_ms, by, findings } = view;
  const types = [...new Set(findings.map(({ type }) => type))];
  const why = types.length === 0 ? "" : `: ${types.join(", ")}`;
  const what = severity === "none" ? "as approved" : `${action}, ${severity}`;
  return `${serverName(view)} ${itemName(view)}: ${what} since ${isoText(since_ms)} by ${shownText(by)}${why}`;
};

export const findingLine = ({ severity, type, path, reason }: Finding): string =>
  `  ${severity} ${type}${path === null ? "" : ` at ${shownText(path)}`}: ${shownText(reason)}`;

/** Everything but the comparison. */
export const driftLines = (view: DriftView): readonly string[] => [
  driftLine(view),
  ...hashLines(view),
  ...(view.findings.length === 0 ? [] : ["what it introduces:", ...view.findings.map(findingLine)]),
];

const hashLines = ({ kind, approved_hash, observed_hash, held_hash }: DriftView): readonly string[] => {
  if (kind === "server") return [];
  const hasChanged = held_hash !== null && held_hash !== observed_hash;
  return [
    `  approved ${approved_hash ?? "never"}`,
    `  observed ${observed_hash ?? "not listed any more"}`,
    ...(hasChanged ? [`  held as  ${held_hash}; it has changed since, --held compares with that`] : []),
  ];
};

/** What became of the definition; `held` compares with what was listed when it became held. */
export const diffLines = (detail: DriftDetail, against: "observed" | "held", terms: RenderTerms): readonly string[] => {
  if (detail.kind === "server") return [];
  const now = detail[against];
  const lost = detail.approved === null && detail.approved_hash !== null;
  const { changed, same } = comparePlaces(detail.approved, now);
  const heading = [
    ...(lost ? ["the approved definition is kept no more"] : []),
    ...(now === null ? [`there is no ${against} definition: it is not listed any more, or kept no more`] : []),
  ];
  if (changed.length === 0) return [...heading, "the definition is as it was approved"];
  const others = same === 0 ? "" : `, ${same} as before`;
  return [
    ...heading,
    `${changed.length} ${changed.length === 1 ? "place" : "places"} changed${others}:`,
    ...renderPlaces(changed, terms),
  ];
};

export const versionLine = ({ version, hash, approved_ms, approved_by, items }: BaselineView): string =>
  `${version}: ${counted(items)}, ${hash}, ${isoText(approved_ms)} by ${shownText(approved_by)}`;

const counted = (items: number): string => (items === 1 ? "1 item" : `${items} items`);
