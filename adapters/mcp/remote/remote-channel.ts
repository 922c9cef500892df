import type { Channel, Incoming, Outgoing, Receiver } from "../relay/channel.ts";
import { maxMessageBytes } from "../relay/limits.ts";
import { isObject, keyOf, type Message, NotAMessage, type RequestId, type RequestMessage } from "../relay/message.ts";
import { readLine } from "../relay/read-message.ts";
import { isStateless } from "../relay/refusal.ts";
import { eventsOf } from "./event-stream.ts";
import { HttpError } from "./http-error.ts";
import { HttpPeer } from "./http-peer.ts";
import { mirrorHeaders } from "./request-headers.ts";

/** The first pause before a stream is asked for again, and the longest. */
const firstRetry_ms = 1000;
const longestRetry_ms = 30_000;
/** How often the rest of an answer is asked for. */
const maxResumes = 10;

/** Answers to `initialize` with which a server says that it knows no Streamable HTTP. */
const olderStatuses: readonly number[] = [400, 404, 405];

/**
 * A remote server: Streamable HTTP of 2025-03-26 to 2026-07-28, and HTTP+SSE of 2024-11-05 where the server knows no other. The SDKs'
 * transports read an event of any length, as fast as it comes, and keep of a message what their schemas name; here what comes is read
 * no faster than it is judged, bounded, and passed on as it came.
 */
export class RemoteChannel implements Channel {
  readonly #peer: HttpPeer;
  #receiver: Receiver | null = null;
  #session: string | null = null;
  #version: string | null = null;
  /** Where messages are posted to, of a server of 2024-11-05; null of any other. */
  #endpoint: URL | null = null;
  #isClosed = false;
  readonly #open = new Map<string, { readonly request: RequestMessage; readonly over: AbortController }>();

  constructor(url: URL, headers: Readonly<Record<string, string>>) {
    this.#peer = new HttpPeer(url, headers);
  }

  async open(receiver: Receiver): Promise<void> {
    this.#receiver = receiver;
  }

  async send(outgoing: Outgoing): Promise<void> {
    if (Array.isArray(outgoing)) for (const message of outgoing as readonly Message[]) await this.#send(message);
    else await this.#send(outgoing as Message);
  }

  async #send(message: Message): Promise<void> {
    if (message.kind === "request") return this.#ask(message);
    if (message.kind === "notification" && message.method === "notifications/cancelled" && this.#cancel(message))
      return;
    const response = await this.#post(message, null);
    await response.body?.cancel();
    if (!response.ok) throw this.#failed(response.status);
    if (message.kind === "notification" && message.method === "notifications/initialized" && this.#endpoint === null) {
      void this.#listen();
    }
  }

  /** A stateless request is cancelled by ending its stream (2026-07-28). */
  #cancel({ params }: Message & { kind: "notification" }): boolean {
    const id = params?.requestId;
    const asked = typeof id === "string" || typeof id === "number" ? this.#open.get(keyOf(id)) : undefined;
    if (asked === undefined || !isStateless(asked.request)) return false;
    asked.over.abort();
    return true;
  }

  async #ask(request: RequestMessage): Promise<void> {
    const over = new AbortController();
    this.#open.set(keyOf(request.id), { request, over });
    try {
      const response = await this.#post(request, over.signal);
      if (request.method === "initialize" && this.#endpoint === null && olderStatuses.includes(response.status)) {
        await response.body?.cancel();
        await this.#openOlder(response.status);
        return await this.#ask(request);
      }
      await this.#answered(request, response);
    } catch (error) {
      this.#open.delete(keyOf(request.id));
      throw error;
    }
  }

  #post(message: Message, signal: AbortSignal | null): Promise<Response> {
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(isOpening(message) ? {} : this.#sessionHeaders()),
      ...mirrorHeaders(message),
    };
    const body = message.line ?? JSON.stringify(message.json);
    return this.#peer.ask("POST", headers, body, this.#endpoint ?? this.#peer.url, signal);
  }

  #sessionHeaders(): Record<string, string> {
    return {
      ...(this.#session === null ? {} : { "mcp-session-id": this.#session }),
      ...(this.#version === null ? {} : { "mcp-protocol-version": this.#version }),
    };
  }

  async #answered(request: RequestMessage, response: Response): Promise<void> {
    if (request.method === "initialize" && response.ok) this.#session = response.headers.get("mcp-session-id");
    const type = (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
    if (response.ok && type === "text/event-stream" && response.body !== null) {
      void this.#readAnswer(request, response);
      return;
    }
    if (type === "application/json" && response.status !== 202) {
      const body = await bounded(response);
      if (body === null)
        return this.#refused(new NotAMessage(`it is longer than ${maxMessageBytes} bytes`, request.id));
      // An error may come with any status, and is the server's answer all the same.
      if (response.ok || answers(body, request.id)) return this.#line(body);
    } else await response.body?.cancel();
    // A server of 2024-11-05 answers on its stream.
    if (response.ok && this.#endpoint !== null) return;
    throw this.#failed(response.status);
  }

  #failed(status: number): HttpError {
    // The session is over, and only the host can begin another.
    if (status === 404 && this.#session !== null) this.#over();
    return new HttpError(status);
  }

  /** The stream of one answer; where it breaks off it is asked for again from there, if the server numbered its events. */
  async #readAnswer(request: RequestMessage, response: Response): Promise<void> {
    const key = keyOf(request.id);
    const signal = this.#open.get(key)?.over.signal ?? null;
    let place = await this.#read(response, null);
    for (let resumes = 0; this.#open.has(key) && place.lastId !== null && resumes < maxResumes; resumes++) {
      await pause(Math.min(place.retry_ms, longestRetry_ms));
      if (this.#isClosed || signal?.aborted === true) return;
      const resumed = await this.#get(place.lastId, signal);
      if (resumed !== null) place = await this.#read(resumed, place.lastId);
    }
    if (this.#open.delete(key) && !this.#isClosed && signal?.aborted !== true) {
      await this.#refused(new NotAMessage("the stream ended before the answer", request.id));
    }
  }

  /** The stream on which a server speaks unasked. One that has none says so. */
  async #listen(): Promise<void> {
    let lastId: string | null = null;
    let wait_ms = firstRetry_ms;
    while (!this.#isClosed) {
      const response = await this.#get(lastId, null);
      if (response === null) return;
      const place = await this.#read(response, lastId);
      // One that ends at once is asked for less and less often.
      wait_ms = Math.min(Math.max(place.retry_ms, place.count > 0 ? firstRetry_ms : 2 * wait_ms), longestRetry_ms);
      lastId = place.lastId;
      await pause(wait_ms);
    }
  }

  /** Null where there is no such stream. */
  async #get(lastId: string | null, signal: AbortSignal | null): Promise<Response | null> {
    const headers = {
      accept: "text/event-stream",
      ...this.#sessionHeaders(),
      ...(lastId === null ? {} : { "last-event-id": lastId }),
    };
    try {
      const response = await this.#peer.ask("GET", headers, null, this.#peer.url, signal);
      if (response.ok && response.body !== null) return response;
      await response.body?.cancel();
      return null;
    } catch {
      return null;
    }
  }

  async #read(response: Response, from: string | null): Promise<Place> {
    const place = { lastId: from, retry_ms: firstRetry_ms, count: 0 };
    try {
      for await (const event of eventsOf(response.body as unknown as AsyncIterable<Uint8Array>)) {
        if (event.kind === "retry") place.retry_ms = event.ms;
        else if (event.kind === "oversized") {
          await this.#refused(new NotAMessage(`it is longer than ${maxMessageBytes} bytes`, event.id));
        } else {
          place.lastId = event.lastId ?? place.lastId;
          place.count++;
          if (event.name === "message" && event.data !== "") await this.#line(Buffer.from(event.data));
          else if (event.name === "endpoint") this.#found(event.data);
        }
      }
    } catch (error) {
      if (error instanceof HttpError) throw error;
      // Whoever waits for the rest of it asks for it again, or is told.
    }
    return place;
  }

  // The transport of 2024-11-05: one stream for all that the server says, and an address for all that it is told.

  #endpointFound: ((endpoint: URL | null) => void) | null = null;

  async #openOlder(status: number): Promise<void> {
    const response = await this.#get(null, null);
    if (response === null) throw new HttpError(status);
    const found = new Promise<URL | null>((resolve) => {
      this.#endpointFound = resolve;
    });
    // Its end is the server's end.
    void this.#read(response, null).then(() => this.#over());
    const endpoint = await Promise.race([found, pause(longestRetry_ms).then(() => null)]);
    if (endpoint === null) throw new HttpError(status);
    this.#endpoint = endpoint;
  }

  /** Never another origin's: what is posted there is shown the server's headers. */
  #found(text: string): void {
    const endpoint = URL.canParse(text, this.#peer.url.href) ? new URL(text, this.#peer.url) : null;
    this.#endpointFound?.(endpoint !== null && endpoint.origin === this.#peer.url.origin ? endpoint : null);
    this.#endpointFound = null;
  }

  // To the relay.

  async #line(bytes: Uint8Array): Promise<void> {
    let incoming: Incoming;
    try {
      incoming = readLine(bytes);
    } catch (error) {
      if (!(error instanceof NotAMessage)) throw error;
      return this.#refused(error);
    }
    for (const message of incoming.kind === "message" ? [incoming.message] : incoming.items) this.#seen(message);
    await this.#receiver?.received(incoming);
  }

  #seen(message: Message | NotAMessage): void {
    if (message instanceof Error || message.kind !== "response") return;
    const asked = this.#open.get(keyOf(message.id));
    this.#open.delete(keyOf(message.id));
    if (asked?.request.method !== "initialize" || message.outcome.kind !== "result") return;
    const { result } = message.outcome;
    if (isObject(result) && typeof result.protocolVersion === "string") this.#version = result.protocolVersion;
  }

  async #refused(problem: NotAMessage): Promise<void> {
    if (problem.id !== null) this.#open.delete(keyOf(problem.id));
    await this.#receiver?.refused(problem);
  }

  #over(): void {
    if (!this.#isClosed) this.#receiver?.closed();
  }

  /** Ends the session at the server too. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#session !== null) await this.#forget();
    this.#peer.end();
  }

  async #forget(): Promise<void> {
    try {
      const goodbye = this.#peer.ask("DELETE", this.#sessionHeaders(), null, this.#peer.url, AbortSignal.timeout(2000));
      await (await goodbye).body?.cancel();
    } catch {
      // It ends by the server's own time then.
    }
  }
}

interface Place {
  readonly lastId: string | null;
  readonly retry_ms: number;
  /** Events that came. */
  readonly count: number;
}

const isOpening = (message: Message): boolean => message.kind === "request" && message.method === "initialize";

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

/** Null where it is longer than a message may be. */
const bounded = async (response: Response): Promise<Buffer | null> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes >= maxMessageBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const answers = (body: Uint8Array, id: RequestId): boolean => {
  try {
    const incoming = readLine(body);
    return incoming.kind === "message" && incoming.message.kind === "response" && incoming.message.id === id;
  } catch {
    return false;
  }
};
