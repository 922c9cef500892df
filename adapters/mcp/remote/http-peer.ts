import { HttpError } from "./http-error.ts";

const mostRedirects = 3;

/** Speaks HTTP with one server, under the headers that it is to be shown. A redirect is followed within its origin only: the headers are secrets. */
export class HttpPeer {
  readonly url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #over = new AbortController();

  constructor(url: URL, headers: Readonly<Record<string, string>>) {
    this.url = url;
    this.#headers = headers;
  }

  /** @throws HttpError a redirect that is not followed; TypeError, DOMException there is no way, or it was ended */
  async ask(
    method: "GET" | "POST" | "DELETE",
    headers: Readonly<Record<string, string>>,
    body: string | Uint8Array | null = null,
    to: URL = this.url,
    signal: AbortSignal | null = null,
  ): Promise<Response> {
    const ended = signal === null ? this.#over.signal : AbortSignal.any([this.#over.signal, signal]);
    let at = to;
    for (let redirects = 0; ; redirects++) {
      const response = await fetch(at, {
        method,
        headers: { ...this.#headers, ...headers },
        ...(body === null ? {} : { body }),
        redirect: "manual",
        signal: ended,
      });
      const location = response.status === 307 || response.status === 308 ? response.headers.get("location") : null;
      if (location === null) return response;
      await response.body?.cancel();
      const next = URL.canParse(location, at.href) ? new URL(location, at.href) : null;
      if (next === null || next.origin !== this.url.origin || redirects === mostRedirects) {
        throw new HttpError(response.status);
      }
      at = next;
    }
  }

  end(): void {
    this.#over.abort();
  }
}
