import { blocked } from "../../ask.ts";
import { BlockedError } from "../../blocked-error.ts";
import { ownPromise } from "../../own-promise.ts";
import { sameView } from "../../same-view.ts";
import { jsonView } from "../argument-view.ts";
import type { Guard } from "../ask.ts";

/** What fetch hands to a dispatcher for each request that it makes, the ones of redirects included. */
interface Hop {
  readonly origin?: unknown;
  readonly path?: unknown;
  readonly method?: unknown;
  readonly headers?: unknown;
}

interface Handler {
  onError?(error: unknown): void;
  onResponseError?(controller: unknown, error: unknown): void;
}

interface Dispatcher {
  readonly isMockActive?: unknown;
  dispatch(hop: Hop, handler: Handler): boolean;
}

export const fetchAction = "http.fetch";
const globalDispatcher = Symbol.for("undici.globalDispatcher.1");

/**
 * Stands before the dispatcher of one fetch. The request that was judged already goes on; another one is a redirect's, and asks first.
 * Node keeps doing what a redirect means: the method, the body, the headers that do not cross origins, the count.
 */
export class JudgedHops implements Dispatcher {
  /** The refusal that ended the fetch. */
  refusal: BlockedError | null = null;
  readonly #guard: Guard;
  readonly #own: Dispatcher | null;
  readonly #judged = new Set<string>();

  constructor(guard: Guard, own: unknown, url: string, method: string) {
    this.#guard = guard;
    this.#own = (own as Dispatcher | undefined) ?? null;
    if (URL.canParse(url)) {
      const { origin, pathname, search } = new URL(url);
      this.#judged.add(hopKey(method, `${origin}${pathname}${search}`));
    }
  }

  get isMockActive(): unknown {
    return this.#dispatcher.isMockActive;
  }

  get #dispatcher(): Dispatcher {
    return this.#own ?? (Reflect.get(globalThis, globalDispatcher) as Dispatcher);
  }

  dispatch(hop: Hop, handler: Handler): boolean {
    const url = `${String(hop.origin)}${String(hop.path)}`;
    const method = String(hop.method);
    if (this.#judged.has(hopKey(method, url))) return this.#dispatcher.dispatch(hop, handler);
    const view: Record<string, unknown> = { url, method };
    const headers = jsonView(hop.headers);
    if (headers !== undefined) view.headers = headers;
    ownPromise(this.#guard.ask(fetchAction, view)).then(
      ({ args }) => {
        try {
          const next = args === null ? hop : rewrittenHop(hop, view, args);
          if (args === null) this.#judged.add(hopKey(method, url));
          this.#dispatcher.dispatch(next, handler);
        } catch (error) {
          this.#fail(handler, error);
        }
      },
      (error: unknown) => this.#fail(handler, error),
    );
    return true;
  }

  #fail(handler: Handler, error: unknown): void {
    if (error instanceof BlockedError) this.refusal = error;
    if (handler.onError !== undefined) handler.onError(error);
    else handler.onResponseError?.(null, error);
  }
}

// The program has it, in its `Request`.
Object.freeze(JudgedHops.prototype);

const hopKey = (method: string, url: string): string => `${method.toUpperCase()} ${url}`;

/** A rule may send a redirect elsewhere. The rest of it is fetch's own by now. */
const rewrittenHop = (
  hop: Hop,
  view: Readonly<Record<string, unknown>>,
  changed: Readonly<Record<string, unknown>>,
): Hop => {
  const { url, ...rest } = changed;
  const { url: before, ...others } = view;
  if (!sameView(rest, others) || typeof url !== "string" || !URL.canParse(url)) {
    throw blocked(fetchAction, "of a redirect only the url can be rewritten");
  }
  if (url === before) return hop;
  const { origin, pathname, search } = new URL(url);
  return { ...hop, origin, path: `${pathname}${search}` };
};
