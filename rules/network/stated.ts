import type { WireObject, WireValue } from "../../wire/value.ts";
import { type Text, textsOf } from "../scan/texts.ts";
import { isUnnamed } from "../unnamed-argument.ts";
import { type ActionKind, actionKind } from "./action-kind.ts";
import { connectionIn } from "./connection.ts";
import { type Destination, destinationOf, noAddress } from "./destination.ts";
import { placeKind } from "./place-name.ts";
import { grantsMachine } from "./socket-path.ts";

/** A destination that a call states, and how. */
export interface Stated {
  /** The argument: `url`, `items[2].href`. */
  readonly place: string;
  readonly destination: Destination;
  /** As it was written. */
  readonly text: string;
  /**
   * `asked`: the tool goes there. `named`: an argument names it, for a tool that may go there or not. `whole`: an argument is a URL
   * and nothing else. `mentioned`: it stands in a text that a fetching tool sends. `resolved`: a name server is asked for it.
   * `dialled`: a connection is made to it, of whatever protocol.
   */
  readonly how: "asked" | "dialled" | "named" | "whole" | "mentioned" | "resolved";
}

export interface Destinations {
  readonly all: readonly Stated[];
  /** There is more than is looked at. */
  readonly isCutShort: boolean;
}

/** More addresses than a call has; looking at each takes some 3 microseconds. */
const maxDestinations = 2_000;

const known = new WeakMap<WireObject, { readonly action: string; readonly found: Destinations }>();

/** Every destination in the arguments of a call, at any depth. Arguments are frozen, so they are read once for all rules. */
export const destinationsIn = (action: string, args: WireObject): Destinations => {
  const before = known.get(args);
  if (before?.action === action) return before.found;
  const found = read(action, args);
  if (Object.isFrozen(args)) known.set(args, { action, found });
  return found;
};

const none: Destinations = Object.freeze({ all: Object.freeze([]), isCutShort: false });

const read = (action: string, args: WireObject): Destinations => {
  const kind = actionKind(action);
  if (kind === "listens") return none;
  if (kind === "connects") return { all: connectionIn(args), isCutShort: false };
  if (kind === "resolves")
    return {
      all: typeof args.hostname === "string" ? [stated("hostname", args.hostname, "resolved")] : [],
      isCutShort: false,
    };
  const { texts, isCutShort } = textsOf(args);
  const all: Stated[] = [];
  // `fetch("http://...")`: what has no name of its own is where the tool goes.
  if (kind === "fetches" && isUnnamed(args))
    for (const { place, text, kind: of } of texts)
      if (place === "input" && of !== "name") all.push(stated(place, text, "asked"));
  for (const text of texts) {
    if (text.kind === "name") takeUnreadable(text, kind, all);
    else if (!takeText(text, kind, all)) return { all, isCutShort: true };
    if (all.length > maxDestinations) return { all, isCutShort: true };
  }
  return { all, isCutShort: isCutShort && kind === "fetches" };
};

const stated = (place: string, text: string, how: Stated["how"]): Stated => ({
  place,
  text,
  how,
  destination: destinationOf(text),
});

/** `{url: 2130706433}`: what is not a text and stands where a fetching tool's address does. */
const takeUnreadable = ({ place, name, beside }: Text, kind: ActionKind, all: Stated[]): void => {
  if (kind !== "fetches" || placeKind(name) !== "address") return;
  const value: WireValue | undefined = beside?.[name];
  if (value === undefined || value === null || Array.isArray(value)) return;
  const isEmpty = value === "" && /^ur[il]$/i.test(name);
  if (isEmpty || typeof value !== "string") all.push({ place, text: "", how: "asked", destination: noAddress });
};

/** False where there is more than is looked at. */
const takeText = ({ place, text, name }: Text, kind: ActionKind, all: Stated[]): boolean => {
  const of = placeKind(name);
  if (of === "identity") return true;
  if (kind === "fetches") {
    const isAsked =
      of === "address" || (of === "target" && isAddressLike(text)) || (of !== "content" && isWholeUrl(text));
    if (!isAsked) return takeContent(place, text, all);
    all.push(stated(place, text, "asked"));
    return true;
  }
  if (of === "content") return true;
  if (of !== "other" && isAddressLike(text)) takeNamed(place, text, kind, all);
  else if (isWholeUrl(text)) all.push(stated(place, text, "whole"));
  else if (text.startsWith("/")) takePath(place, text, all);
  else if (/^[{[]/.test(text)) return takeJson(place, text, kind, all);
  return true;
};

const takeNamed = (place: string, text: string, kind: ActionKind, all: Stated[]): void => {
  const isBare = !/:[\\/]/.test(text);
  if (isBare && kind === "serves") return;
  const found = stated(place, text, "named");
  const { destination } = found;
  const isOfDatabase = isBare && kind === "queries" && destination.kind === "network";
  all.push(isOfDatabase ? { ...found, destination: { ...destination, scheme: "database" } } : found);
};

/** Arguments that a tool hands on to another are often JSON in a text. What is not JSON after all is a text like any other. */
const takeJson = (place: string, text: string, kind: ActionKind, all: Stated[]): boolean => {
  if (!text.includes(":")) return true;
  let value: WireValue;
  try {
    value = JSON.parse(text);
  } catch {
    return true;
  }
  const { texts, isCutShort } = textsOf(value);
  return (
    !isCutShort &&
    texts.every(
      (inner) => inner.kind === "name" || /^[{[]/.test(inner.text) || takeText({ ...inner, place }, kind, all),
    )
  );
};

/** A socket by its path, or as a volume that a container is given: `/var/run/docker.sock:/var/run/docker.sock:ro`. */
const takePath = (place: string, text: string, all: Stated[]): void => {
  const path = text.slice(0, 2_048).split(":", 1)[0] ?? text;
  if (grantsMachine(path)) all.push({ place, text, how: "whole", destination: { kind: "socket", path } });
};

/** A scheme of at least two letters: one is a drive of Windows. */
const wholeUrl =
  /^[a-z][a-z0-9+.\-\t\n\r]{1,40}:(?:[\\/\t\r\n]{1,8}[^\s\\/]|(?:unix|npipe|jar|view-source|url):|[%/])|^(?:unix|npipe):/i;

/** A text that is a URL and nothing else. */
const isWholeUrl = (text: string): boolean => {
  const start = text.charCodeAt(0) <= 0x20 ? text.slice(0, 20_000).trimStart() : text;
  return wholeUrl.test(start) && !/\S[ \u00a0]+\S/.test(start.slice(0, 20_000));
};

const addressLike =
  /^\s{0,8}(?:[a-z][a-z0-9+.-]{0,40}:[\\/]|[\\/]{2}[a-z0-9[.]|\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?:[/?#]|$)|0x[0-9a-f]{7,8}(?:[:/]|$)|(?:0x[0-9a-f]{1,2}|0[0-7]{1,4})(?:\.(?:0x[0-9a-f]{1,8}|\d{1,10})){1,3}(?:[:/]|$)|\[?[0-9a-f]{0,4}:[0-9a-f]{0,4}:[0-9a-f:.]{0,45}(?:%[a-z0-9]{1,16})?\]?(?:[:/]|$)|localhost\.?(?:[:/]|$)|(?:[\w-]{1,63}\.){1,10}[a-z][\w-]{1,62}\.?(?:[:/?#]|$)|[^\s@/:]{1,64}@[^\s@/]{1,253}|unix:|npipe:)/i;

/** A text that names a host beyond doubt; `main`, `alice` and `es2020` do not. */
const isAddressLike = (text: string): boolean =>
  text.length < 20_000 && addressLike.test(text) && !/\S\s+\S/.test(text) && !isBlock.test(text);

/** `10.0.0.0/8`: a range, as firewalls are told, and not a place. */
const isBlock = /^\s{0,8}[0-9a-f.:]{2,45}\/\d{1,3}\s{0,8}$/i;

const mentioned = /(?:https?|wss?|ftp|gopher):[\\/]{1,2}[^\s"'<>()`{}|]{1,2048}/gi;
/** A plain name that has nothing of a metadata service's: nearly every URL in a page, and not worth parsing. */
const plainName = /^[a-z]{2,6}:\/\/(?:[a-z0-9-]{1,63}\.){1,10}[a-z]{2,24}(?::\d{1,5})?(?:[/?#]|$)/i;
const ofMetadata = /metadata|internal|instance-data/i;
/** Other URLs in texts that are sent. */
const maxMentioned = 200;

/** The URLs in a text that do not lead to public places; false where there are more than are looked at. */
const takeContent = (place: string, text: string, all: Stated[]): boolean => {
  if (!text.includes(":/") && !text.includes(":\\")) return true;
  let count = 0;
  for (const [url] of text.matchAll(mentioned)) {
    if (plainName.test(url) && !ofMetadata.test(url)) continue;
    if (++count > maxMentioned) return false;
    const found = stated(place, url, "mentioned");
    if (found.destination.kind === "network" && found.destination.is !== "public") all.push(found);
  }
  return true;
};
