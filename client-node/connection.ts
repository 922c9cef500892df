import { connect, type Socket } from "node:net";
import { WireError, type WireErrorCode } from "../wire/errors.ts";
import { FrameReader } from "../wire/frame-reader.ts";
import { maxInFlightRequests } from "../wire/limits.ts";
import { type Answer, readAnswer } from "./answer.ts";
import { errorName } from "./error-name.ts";
import { type Greeting, helloLine, readTerms, type Terms } from "./greeting.ts";
import { asOwnCall } from "./intercept/own-call.ts";
import { maxUnsentBytes, readBufferBytes } from "./limits.ts";
import { markOwnSocket } from "./own-sockets.ts";
import { PendingAnswers } from "./pending-answers.ts";
import type { Question } from "./question.ts";
import { noReply } from "./reasons.ts";

// Taken before a guarded process has its builtins replaced.
const connectTo = connect;
const later = process.nextTick.bind(process) as (step: () => void) => void;

interface Answered {
  readonly question: Question;
  readonly answer: Answer;
}

/** Why a connection is no more. */
export type Ending =
  /** It never was: `connect` failed. */
  | { readonly kind: "unconnected"; readonly error: NodeJS.ErrnoException }
  /** The peer took it and ended it, or said nothing, before it answered the hello. */
  | { readonly kind: "ungreeted"; readonly error: Error }
  /** It was in use and ended. `undelivered`: what was written last did not reach the peer. */
  | { readonly kind: "lost"; readonly error: Error; readonly undelivered: boolean }
  /** The peer broke the protocol: nothing that it says on this connection is believed any more. */
  | { readonly kind: "anomaly"; readonly code: WireErrorCode; readonly message: string }
  /** The client let go of it. */
  | { readonly kind: "closed" };

export interface ConnectionOwner {
  /** The hello is answered: questions can be asked. */
  opened(connection: Connection): void;
  /** Questions were answered or bytes have left: there may be room for more. */
  roomMade(connection: Connection): void;
  /** The question may have been settled before: then its answer comes too late. */
  answered(connection: Connection, question: Question, answer: Answer): void;
  /** Once, and last. The questions that were pending are handed back, in the order in which they were asked. */
  ended(connection: Connection, ending: Ending, pending: Question[]): void;
}

/**
 * One connection: says hello, sends questions, and matches answers to them. Frames that are sent in one turn of the event
 * loop leave in one write. The answers that arrive in one piece are judged together before any is delivered: if a byte among them is
 * out of place, none is.
 */
export class Connection {
  readonly #owner: ConnectionOwner;
  readonly #greeting: Greeting;
  readonly #socket: Socket;
  readonly #reader = new FrameReader("responses");
  readonly #pending = new PendingAnswers();
  #terms: Terms | null = null;
  #outbox = "";
  #ended = false;
  #greetingTimer: NodeJS.Timeout | null = null;
  readonly #flush = (): void => this.#flushNow();

  constructor(path: string, greeting: Greeting, timeout_ms: number | null, owner: ConnectionOwner) {
    this.#owner = owner;
    this.#greeting = greeting;
    this.#socket = asOwnCall(() =>
      connectTo({
        path,
        onread: {
          buffer: Buffer.allocUnsafeSlow(readBufferBytes),
          callback: (count, buffer) => this.#read(count, buffer),
        },
      }),
    );
    markOwnSocket(this.#socket);
    this.#socket.once("connect", () => this.#socket.write(helloLine(greeting)));
    this.#socket.on("drain", () => this.#roomMade());
    this.#socket.once("error", (error) => this.#failed(error));
    this.#socket.once("end", () => this.#failed(null));
    this.#socket.once("close", () => this.#failed(null));
    if (timeout_ms !== null) this.#greetingTimer = setTimeout(() => this.#ungreeted(timeout_ms), timeout_ms).unref();
  }

  /** What was agreed in the hello; null until it is answered. */
  get terms(): Terms | null {
    return this.#terms;
  }

  get isIdle(): boolean {
    return this.#pending.size === 0;
  }

  /** May one more question be asked now? Never before the hello is answered, nor after the end. */
  get hasRoom(): boolean {
    if (this.#terms === null || this.#ended) return false;
    if (this.#socket.writableLength + this.#outbox.length >= maxUnsentBytes) return false;
    return this.#pending.hasRoom(this.#terms.isV1 ? 1 : maxInFlightRequests);
  }

  /** Keeps the process alive, or not. */
  hold(isPending: boolean): void {
    if (isPending) this.#socket.ref();
    else this.#socket.unref();
  }

  ask(question: Question): void {
    if (this.#outbox === "") later(this.#flush);
    this.#outbox += question.frame;
    this.#pending.add(question);
    question.state = "asked";
    question.everAsked = true;
  }

  /** The question ran out of time; its answer may still come. A v1 peer answers in order, so that nothing else can be asked before. */
  expire(question: Question): void {
    if (this.#pending.expire(question) && this.#terms?.isV1 !== true) return;
    this.#end({ kind: "lost", error: new Error("gave up on a peer that does not answer"), undelivered: false });
  }

  /** Nothing more is asked here; what is pending may be asked elsewhere. */
  giveUp(error: Error): void {
    this.#end({ kind: "lost", error, undelivered: false });
  }

  close(): void {
    this.#end({ kind: "closed" });
  }

  #flushNow(): void {
    const frames = this.#outbox;
    this.#outbox = "";
    if (!this.#ended) this.#socket.write(frames);
  }

  #read(count: number, buffer: Uint8Array): boolean {
    if (this.#ended) return false;
    try {
      this.#reader.push(Buffer.from(buffer.buffer, buffer.byteOffset, count));
      this.#takeAnswers(buffer[count - 1] === 0x0a);
    } catch (error) {
      this.#anomaly(error);
    }
    return !this.#ended;
  }

  #takeAnswers(endsWithNewline: boolean): void {
    let terms = this.#terms;
    const batch: Answered[] = [];
    try {
      for (let line = this.#reader.next(); line !== null; line = this.#reader.next()) {
        if (terms === null) terms = readTerms(line, this.#greeting);
        else this.#take(readAnswer(line, terms), batch);
      }
      if (!endsWithNewline && terms !== null && this.#pending.isOwedNothing) {
        throw new WireError("bad_request", "bytes that answer no question");
      }
    } catch (error) {
      for (const { question } of batch) if (question.state !== "settled") this.#pending.add(question);
      throw error;
    }
    for (const { question, answer } of batch) this.#owner.answered(this, question, answer);
    if (this.#terms === null && terms !== null) this.#open(terms);
    else if (batch.length > 0) this.#roomMade();
  }

  /** Only after the whole piece was read: bytes that came with the hello's answer cannot answer a question that had not been asked. */
  #open(terms: Terms): void {
    this.#terms = terms;
    this.#stopGreetingTimer();
    this.#owner.opened(this);
  }

  #take(answer: Answer, batch: Answered[]): void {
    // An error without an id is about a frame that the peer could not read: it can only be matched where there is one question.
    const id = answer.id === "" ? (this.#pending.only()?.id ?? "") : answer.id;
    const question = this.#pending.take(id);
    if (question !== null) batch.push({ question, answer });
    else if (answer.decision === null) throw new WireError(answer.code, answer.message);
    else throw new WireError("bad_request", "an answer to no question that is pending");
  }

  #roomMade(): void {
    if (!this.#ended) this.#owner.roomMade(this);
  }

  #ungreeted(timeout_ms: number): void {
    this.#end({ kind: "ungreeted", error: noReply(timeout_ms) });
  }

  /** The socket's error, or null where the peer ended the stream. */
  #failed(error: NodeJS.ErrnoException | null): void {
    if (this.#socket.connecting || (error !== null && error.syscall === "connect")) {
      this.#end({ kind: "unconnected", error: error ?? new Error("the socket closed") });
    } else if (this.#terms === null) {
      this.#end({ kind: "ungreeted", error: error ?? closedEarly() });
    } else {
      // EPIPE is the answer to a write into a connection that the peer had closed: none of it was delivered.
      this.#end({ kind: "lost", error: error ?? closedEarly(), undelivered: error?.code === "EPIPE" });
    }
  }

  #anomaly(error: unknown): void {
    if (error instanceof WireError) this.#end({ kind: "anomaly", code: error.code, message: error.message });
    else
      this.#end({
        kind: "anomaly",
        code: "internal",
        message: `the client failed to read an answer: ${errorName(error)}`,
      });
  }

  #stopGreetingTimer(): void {
    if (this.#greetingTimer !== null) clearTimeout(this.#greetingTimer);
    this.#greetingTimer = null;
  }

  #end(ending: Ending): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#outbox = "";
    this.#stopGreetingTimer();
    this.#socket.destroy();
    this.#owner.ended(this, ending, this.#pending.drain());
  }
}

const closedEarly = (): WireError => new WireError("bad_response", "daemon closed the connection");
