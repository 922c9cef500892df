import type { Phase } from "../../../wire/event.ts";
import type { WireValue } from "../../../wire/value.ts";
import { serviceOf } from "../../network/collectors.ts";
import { type Destination, destinationOf } from "../../network/destination.ts";
import { hasDataInHost } from "../../network/encoded.ts";
import { textsOf } from "../../scan/texts.ts";
import type { Finding } from "../finding.ts";

const addresses = /[a-z][a-z0-9+.-]{1,20}:[\\/]{1,2}[^\s"'<>()`{}|]{1,2048}/gi;
/** Addresses of one value that are looked at; a page has hundreds. */
const maxAddresses = 20_000;

/** Addresses in any text that a call would not be let go to. A text may speak of localhost, so that is not one. */
export const scanNetwork = (value: WireValue, _phase: Phase): readonly Finding[] => {
  const found: Finding[] = [];
  let left = maxAddresses;
  for (const { text, place } of textsOf(value).texts) {
    if (!text.includes(":/") && !text.includes(":\\")) continue;
    for (const match of text.matchAll(addresses)) {
      if (--left < 0) return found;
      const what = classOf(destinationOf(match[0]));
      if (what === null) continue;
      const start = match.index;
      found.push({
        pack: "network",
        class: what.class,
        place,
        start,
        end: start + match[0].length,
        confidence: what.confidence,
      });
    }
  }
  return found;
};

const classOf = (destination: Destination): Pick<Finding, "class" | "confidence"> | null => {
  if (destination.kind === "socket") return { class: "machine_socket", confidence: 0.6 };
  if (destination.kind !== "network") return null;
  const { is, host } = destination;
  if (is === "metadata" || is === "link_local") return { class: "metadata_address", confidence: 0.9 };
  if (is === "wildcard_dns") return { class: "rebinding_name", confidence: 0.7 };
  if (is === "private" && /^[[\d]/.test(host)) return { class: "private_address", confidence: 0.5 };
  if (serviceOf(host) === "collector") return { class: "collector_host", confidence: 0.8 };
  return hasDataInHost(host, host) ? { class: "data_in_host", confidence: 0.7 } : null;
};
