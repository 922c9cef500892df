import type { Socket } from "node:net";
import { WireError } from "../../wire/errors.ts";
import { FrameReader } from "../../wire/frame-reader.ts";
import { MAX_LINE, maxInFlightRequests, maxUnreadAnswerBytes } from "../../wire/limits.ts";
import { errorFrame } from "../../wire/response.ts";
import type { BoundIdentity } from "../identity/bound-identity.ts";
import { maxUndecidedBytes, refusedLinger_ms, unreadHighWaterBytes } from "./limits.ts";
import { type Session, versionOneSession } from "./session.ts";
import { StuckPeer } from "./stuck-peer.ts";

/** What a connection hands its lines to. */
export interface LineHandler {
  /** Judges one line; calls `connection.began()`, and `ended()` once the answer is said. */
  onLine(connection: Connection, line: Uint8Array): void;
  /** Bytes of unfinished frames changed by so much. Where there is no more room, it refuses whoever holds most. */
  onHeldBytes(change: number): void;
  /** May it take a line now? Where not, `proceed` is called once it may. */
  hasRoom(connection: Connection): boolean;
  onClose(connection: Connection): void;
  /** Something was said outside a group: see that it is flushed. */
  wantsFlush(connection: Connection): void;
}

/**
 * One peer: bytes to lines, answers to bytes, and the bounds of both. It takes no further line while too much is
 * undecided or too many answers lie unread, so a peer that floods or does not read waits for itself and for nobody
 * else.
 */
export class Connection {
  /** Replaced by the hello; a peer without one is version 1. */
  session: Session = versionOneSession();
  /** What the hello's token bound it to; null: nobody. */
  token: BoundIdentity | null = null;
  /** The hello must be the first frame. */
  framesSeen = 0;
  /** By action, our id of the last transactional call that came without one; null once two were open together (open-calls.ts). */
  readonly ownIds = new Map<string, string | null>();
  readonly #socket: Socket;
  readonly #handler: LineHandler;
  #reader = new FrameReader();
  #outbox = "";
  #undecided = 0;
  /** Bytes of the lines that were taken since nothing was undecided. */
  #undecidedBytes = 0;
  #heldBytes = 0;
  #ended = false;
  #closing = false;
  #taking = false;
  #refused = false;
  /** Bytes of a refused peer that are still read, and thrown away: the rest of the frame that it was writing. */
  #discardable = 0;
  /** The handler had no room for another line. */
  #waiting = false;
  #draining = false;
  readonly #stuck = new StuckPeer();

  constructor(socket: Socket, handler: LineHandler) {
    this.#socket = socket;
    this.#handler = handler;
    socket.on("data", (chunk: Buffer) => {
      // Read all the same: what lies unread when a socket closes takes the answers with it on some systems.
      if (this.#refused) this.#discard(chunk.length);
      if (this.#refused || this.#draining || this.#closing) return;
      this.#reader.push(chunk);
      this.#take();
    });
    socket.on("end", () => {
      this.#ended = true;
      this.#reader.end();
      this.#take();
      this.#closeWhenAnswered();
    });
    socket.on("drain", () => {
      this.#take();
      this.#closeWhenAnswered();
    });
    // A peer that went away is no error of ours; `close` follows.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#closing = true;
      this.#hold(0);
      handler.onClose(this);
    });
  }

  /** A question of this peer was taken; its answer has not been said. */
  began(): void {
    this.#undecided++;
  }

  /** Its answer was said. */
  ended(): void {
    this.#undecided--;
    if (this.#undecided === 0) this.#undecidedBytes = 0;
    this.#take();
    this.#closeWhenAnswered();
  }

  /** There is room again. */
  proceed(): void {
    this.#waiting = false;
    this.#take();
    this.#closeWhenAnswered();
  }

  /** Queues one frame; it leaves with the next `flush`. */
  say(frame: string): void {
    if (this.#closing) return;
    this.#outbox = this.#outbox === "" ? frame : this.#outbox + frame;
  }

  /** Sends what was said, in one write. */
  flush(): void {
    const frames = this.#outbox;
    if (frames === "") return;
    this.#outbox = "";
    if (this.#socket.destroyed) return;
    this.#socket.write(frames);
    if (this.#socket.writableLength > maxUnreadAnswerBytes) this.#socket.destroy();
    else this.#closeWhenAnswered();
  }

  /** No further line is taken; what is undecided is still answered, then the connection ends. */
  drain(): void {
    this.#draining = true;
    this.#ended = true;
    if (this.#socket.isPaused()) this.#socket.resume();
    this.#closeWhenAnswered();
  }

  /** Cuts the peer off. */
  destroy(): void {
    this.#socket.destroy();
  }

  /** Nothing undecided, nothing unsent. */
  get quiet(): boolean {
    return this.#undecided === 0 && this.#outbox === "";
  }

  /** Bytes of the frame that is not finished, and of lines that were not taken yet. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Bytes of answers that the peer has not read. */
  get unreadBytes(): number {
    return this.#socket.writableLength;
  }

  /** Called now and then: cuts a peer off whose frame stays unfinished, or who does not read. `now_ms` only rises. */
  sweep(now_ms: number): void {
    const unread = this.#socket.writableLength;
    const isStuck = this.#stuck.look({
      now_ms,
      // What is held because the peer has to wait is not its fault.
      isUnfinished: this.#heldBytes > 0 && !this.#waiting && !this.#full(),
      isUnread: unread > 0,
      sentBytes: unread > 0 ? this.#socket.bytesWritten - unread : 0,
    });
    if (isStuck) this.#socket.destroy();
  }

  /** The stream is not read on: the peer is told, and the connection ends once it is. */
  refuse(message: string): void {
    if (this.#refused || this.#closing) return;
    const hasEnded = this.#ended;
    this.#refused = true;
    this.#ended = true;
    // What it held is given back now, not when the peer has read why. A peer whose write fails does not read on, so the
    // rest of its frame is still let in.
    this.#discardable = hasEnded ? 0 : Math.max(0, MAX_LINE - this.#reader.unreadBytes);
    this.#reader = new FrameReader();
    this.#hold(0);
    this.say(errorFrame("", "too_large", message));
    if (this.#discardable === 0) this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
    this.#handler.wantsFlush(this);
  }

  #discard(bytes: number): void {
    this.#discardable -= bytes;
    if (this.#discardable > 0) return;
    if (this.#closing) this.#socket.destroySoon();
    else this.#socket.pause();
  }

  #full(): boolean {
    const bound = this.session.features.resend ? maxInFlightRequests : 1;
    if (this.#undecided >= bound || this.#undecidedBytes > maxUndecidedBytes) return true;
    return this.#socket.writableLength > unreadHighWaterBytes;
  }

  /** Takes lines until there are none, or the peer has to wait. */
  #take(): void {
    // A line that is decided at once ends inside this loop; it must not begin another one below. And a question may
    // be decided after its peer is gone: what the reader held then has been given back.
    if (this.#taking || this.#refused || this.#draining || this.#closing) return;
    this.#taking = true;
    try {
      // A line may be the last one: a hello whose token is refused ends it.
      while (!this.#closing && !this.#draining && !this.#waiting && !this.#full()) {
        const line = this.#reader.next();
        if (line === null) break;
        this.#stuck.tookLine();
        this.#handler.onLine(this, line);
        if (this.#undecided > 0) this.#undecidedBytes += line.length;
        this.framesSeen++;
        if (!this.#handler.hasRoom(this)) this.#waiting = true;
      }
      if (!this.#closing) this.#hold(this.#reader.unreadBytes);
      if (this.#refused || this.#closing) return;
      if (this.#waiting || this.#full()) this.#socket.pause();
      else if (this.#socket.isPaused()) this.#socket.resume();
    } catch (error) {
      // Whatever it was, nothing is known of the peer's question: without an answer it does not run.
      if (error instanceof WireError) this.refuse(error.message);
      else this.#socket.destroy();
    } finally {
      this.#taking = false;
    }
  }

  #hold(bytes: number): void {
    const change = bytes - this.#heldBytes;
    this.#heldBytes = bytes;
    if (change !== 0) this.#handler.onHeldBytes(change);
  }

  #closeWhenAnswered(): void {
    if (!this.#ended || this.#closing || !this.quiet) return;
    // What a peer still wants to ask holds its connection; of one that is refused, or of a drain, nothing more is taken.
    if (!this.#refused && !this.#draining && (this.#waiting || this.#full())) return;
    this.#closing = true;
    this.#hold(0);
    if (this.#discardable <= 0) {
      this.#socket.end(() => this.#socket.destroySoon());
      return;
    }
    this.#socket.end();
    setTimeout(() => this.#socket.destroy(), refusedLinger_ms).unref();
  }
}
