import { urlToHttpOptions } from "node:url";
import { itemsOf } from "../../items-of.ts";
import { sameView } from "../../same-view.ts";
import { isUrlLike } from "../path-text.ts";
import type { AnyFunction, Spec } from "../wrap.ts";

export const requestAction = "http.request";
type Options = Record<string, unknown>;
type Scheme = "http:" | "https:";

const toOptions = urlToHttpOptions;
const toUrl = URL;

/**
 * `http.request` and its kin: `{url, method, headers?, socketPath?}`. The held arguments are one options object of the guard's own, made
 * as Node makes it, and the callback.
 */
export const requestSpec = (scheme: Scheme): Spec => ({
  action: requestAction,
  hold: held,
  project: ([options]) => viewOf(options as Options, scheme),
  apply: ([options, callback], changed) => [rewritten(options as Options, changed, scheme), callback],
});

const held = (args: readonly unknown[]): readonly unknown[] => {
  const rest = [...args];
  const [first] = rest;
  const base = typeof first === "string" ? toOptions(new toUrl(first)) : isUrl(first) ? toOptions(first) : null;
  if (base !== null) rest.shift();
  const [given] = rest;
  const options: Options = { ...base };
  if (typeof given !== "function") {
    Object.assign(options, given);
    rest.shift();
  }
  const { headers } = options;
  if (Array.isArray(headers))
    options.headers = itemsOf<unknown>(headers).map((entry) => (Array.isArray(entry) ? itemsOf(entry) : entry));
  else if (typeof headers === "object" && headers !== null) options.headers = { ...headers };
  const callback = rest.find((value): value is AnyFunction => typeof value === "function");
  return callback === undefined ? [options] : [options, callback];
};

/** What `http.request` takes for a URL. */
const isUrl = (value: unknown): value is URL =>
  isUrlLike(value) && !("auth" in value && value.auth !== undefined) && !("path" in value && value.path !== undefined);

const viewOf = (options: Options, scheme: Scheme): Record<string, unknown> => {
  const { method, headers, socketPath } = options;
  const view: Record<string, unknown> = {
    url: urlOf(options, scheme),
    method: typeof method === "string" && method !== "" ? method.toUpperCase() : "GET",
  };
  const shown = headersView(headers);
  if (shown !== undefined) view.headers = shown;
  if (socketPath) view.socketPath = String(socketPath);
  return view;
};

/** The address in its normal form, and the path exactly as it is sent: Node does not normalize it. */
const urlOf = (options: Options, scheme: Scheme): string => {
  const agent = options.agent as { protocol?: unknown; defaultPort?: unknown } | null | undefined;
  const protocol = String(options.protocol || agent?.protocol || scheme);
  const host = String(options.hostname || options.host || "localhost");
  const port = options.port || options.defaultPort || agent?.defaultPort;
  const bracketed = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  const address = `${protocol}//${bracketed}${port ? `:${String(port)}` : ""}`;
  const path = String(options.path || "/");
  const normal = toUrl.canParse(address) ? new toUrl(address) : null;
  return `${normal === null ? address : `${normal.protocol}//${normal.host}`}${path.startsWith("/") ? "" : "/"}${path}`;
};

const headersView = (headers: unknown): Record<string, unknown> | undefined => {
  if (typeof headers !== "object" || headers === null) return undefined;
  const view: Record<string, unknown> = {};
  const show = (name: unknown, value: unknown): void => {
    const shown = Array.isArray(value) ? itemsOf(value).map(String) : typeof value === "number" ? value : String(value);
    Object.defineProperty(view, String(name), { value: shown, writable: true, enumerable: true, configurable: true });
  };
  if (!Array.isArray(headers)) {
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) show(name, value);
  } else if (Array.isArray(headers[0])) {
    for (const [name, value] of headers as unknown[][]) show(name, value);
  } else {
    for (let at = 0; at + 1 < headers.length; at += 2) show(headers[at], headers[at + 1]);
  }
  return view;
};

/** What a rule left as it was keeps the caller's own value. */
const rewritten = (options: Options, changed: Readonly<Record<string, unknown>>, scheme: Scheme): Options => {
  const before = viewOf(options, scheme);
  const result: Options = { ...options };
  if (changed.url !== before.url || changed.socketPath !== before.socketPath) {
    const to = toOptions(new toUrl(String(changed.url)));
    if (to.protocol !== "http:" && to.protocol !== "https:") throw new TypeError("no http url");
    for (const name of ["host", "hostname", "port", "path", "protocol", "auth", "defaultPort", "socketPath"]) {
      delete result[name];
    }
    Object.assign(result, { protocol: to.protocol, hostname: to.hostname, path: to.path });
    if (to.port !== undefined && to.port !== "") result.port = to.port;
    if (to.auth !== undefined) result.auth = to.auth;
    if (typeof changed.socketPath === "string") result.socketPath = changed.socketPath;
  }
  if (changed.method !== before.method) {
    if (typeof changed.method !== "string") throw new TypeError("no method");
    result.method = changed.method;
  }
  if (!sameView(changed.headers, before.headers)) {
    if (typeof changed.headers !== "object" || changed.headers === null) delete result.headers;
    else result.headers = { ...changed.headers };
  }
  return result;
};
