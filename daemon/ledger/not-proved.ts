import type { DecisionReceipt, Receipt } from "./parse-receipt.ts";

/** How a receipt lies in its store. */
export interface Standing {
  /** Is a signed checkpoint stored that covers it? Whether that holds is for `verify` to say. */
  readonly isCovered: boolean;
  /** Is the salt of what was put still there? */
  readonly hasSalt: boolean;
}

/** What this receipt does not prove, by what is in it: a line each, for a person. Never empty. */
export const notProved = (receipt: Receipt, { isCovered, hasSalt }: Standing): readonly string[] => [
  ...(receipt.kind === "decision" ? ofDecision(receipt, hasSalt) : []),
  ...(isCovered ? [] : ["that it stands as it was written: no signed checkpoint covers it yet"]),
  "that the clock was right: the time is what the machine said",
];

const ofDecision = (receipt: DecisionReceipt, hasSalt: boolean): readonly string[] => [
  ...whoActed(receipt),
  ...(receipt.v === 1
    ? ["by which client, contract and policies: a receipt of version 1 does not say"]
    : [...howIntercepted(receipt.grade), ...(receipt.surface === null ? [noSurface] : [])]),
  ...(receipt.v === 2 && receipt.offline !== null ? [offline] : []),
  receipt.phase === "result" ? clientsResponse : ranOrNot(receipt),
  ...(hasSalt ? [] : [`what the ${receipt.phase === "call" ? "arguments were" : "response was"}: the salt is erased`]),
];

const whoActed = ({ principal, principal_source }: DecisionReceipt): readonly string[] => {
  if (principal === null) return ["who acted: nobody was named"];
  if (principal_source === "token") return [];
  return principal_source === "claimed"
    ? ["who acted: the principal is the client's word"]
    : ["who acted: the principal is whom the configuration names for whoever says nothing"];
};

const howIntercepted = (grade: string | null): readonly string[] => {
  if (grade === null) return ["that the verdict was acted on: the client did not say how it intercepts"];
  return grade.endsWith("/monitor")
    ? ["that the verdict was acted on: the client says that it only monitors"]
    : ["that the verdict was acted on: that the client enforces it is the client's word"];
};

const noSurface = "what the tool's server offered at that moment: the call was held against no approved surface";
const offline = "that it was decided so: the client says that it did, while it reached no daemon";
const clientsResponse = "that the tool answered so: the response is what the client put";

const ranOrNot = ({ verdict }: DecisionReceipt): string =>
  verdict === "ALLOW" || verdict === "MODIFY"
    ? "that the call ran, or what came of it: the receipt of its result or outcome says so, where there is one"
    : "that nothing ran: the client was told that it must not";
