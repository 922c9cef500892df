import { bytesOf } from "../../bytes-of.ts";
import { sameView } from "../../same-view.ts";
import { dataView } from "../argument-view.ts";
import { flattenedHeaders, isRequest, requestClass, requestPart } from "./web-classes.ts";

/** The init of a fetch, read once: what the guard saw is what runs. */
const initNames = [
  "method",
  "headers",
  "body",
  "referrer",
  "referrerPolicy",
  "mode",
  "credentials",
  "cache",
  "redirect",
  "integrity",
  "keepalive",
  "signal",
  "window",
  "duplex",
  "priority",
  "dispatcher",
] as const;

export interface FetchArguments {
  /** A `Request` of the caller's, or text. */
  readonly input: Request | string;
  readonly init: Readonly<Record<string, unknown>>;
  readonly view: Readonly<Record<string, unknown>>;
}

/**
 * `{url, method?, headers?, body?}` (wire-v1.md 7.5). A `Request` gives url, method and headers, and an init's win; the body is shown
 * where it is text or bytes of the init's.
 */
export const fetchArguments = (given: unknown, givenInit: unknown): FetchArguments => {
  const request = isRequest(given) ? given : null;
  const input = request ?? String(given);
  const init: Record<string, unknown> = {};
  if (typeof givenInit === "object" && givenInit !== null) {
    for (const name of initNames) {
      const value: unknown = Reflect.get(givenInit, name);
      if (value !== undefined) init[name] = value;
    }
  }
  if (init.method !== undefined) init.method = String(init.method);
  if (init.headers !== undefined) init.headers = heldHeaders(init.headers);
  if (ArrayBuffer.isView(init.body)) init.body = Buffer.from(bytesOf(init.body));
  const view: Record<string, unknown> = {
    url: request === null ? shownUrl(input as string) : requestPart(request, "url"),
  };
  const method = init.method ?? (request === null ? undefined : requestPart(request, "method"));
  if (method !== undefined) view.method = method;
  const headers = init.headers ?? (request === null ? undefined : requestPart(request, "headers"));
  if (headers !== undefined) view.headers = headers;
  if (typeof init.body === "string" || Buffer.isBuffer(init.body)) view.body = dataView(init.body);
  return { input, init, view };
};

/** A plain object keeps its names as they are written; other forms are flattened to one. What Node refuses is left to it. */
const heldHeaders = (given: unknown): unknown => {
  if (typeof given !== "object" || given === null) return given;
  if (!(Symbol.iterator in given)) {
    return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
  }
  return flattenedHeaders(given);
};

/** As it was written where it is a URL's normal form or none; else the normal form, so that `HTTP://HOST` hides nothing. */
const shownUrl = (text: string): string => (URL.canParse(text) ? new URL(text).href : text);

const isPart = {
  method: (value: unknown): boolean => typeof value === "string",
  headers: (value: unknown): boolean => typeof value === "object" && value !== null,
  body: (value: unknown): boolean => typeof value === "string" || value instanceof Uint8Array,
} as const;

/** The arguments after a rewrite. Only what a rule changed is written back; signal, streams and the rest stay the caller's. */
export const rewrittenFetch = (
  { input, init, view }: FetchArguments,
  changed: Readonly<Record<string, unknown>>,
): [input: Request | string, init: Record<string, unknown>] => {
  const result: Record<string, unknown> = { ...init };
  for (const name of ["method", "headers", "body"] as const) {
    if (Object.hasOwn(changed, name)) {
      if (sameView(changed[name], view[name])) continue;
      if (!isPart[name](changed[name])) throw new TypeError(`no ${name}`);
      result[name] = changed[name];
    } else if (Object.hasOwn(view, name)) {
      if (isRequest(input)) throw new TypeError(`a request's ${name} cannot be left out`);
      delete result[name];
    }
  }
  if (changed.url === view.url) return [input, result];
  const url = new URL(String(changed.url)).href;
  if (typeof input === "string") return [url, result];
  // The caller's request keeps its body readable: the copy takes a branch of it.
  const copy = input.clone();
  const Known = requestClass();
  return [new Known(url, copy as RequestInit), result];
};
