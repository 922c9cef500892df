import type { Socket } from "node:net";

type Fields = Readonly<Record<string, unknown>>;

/** The features that a well-behaved daemon agrees to. */
const known = ["call_id", "details", "escalate", "escape", "grade", "replace_args", "replay", "resend"];

/** One connection of a misbehaving daemon, and the frames that a good one would send on it. */
export class Peer {
  readonly #socket: Socket;
  /** What the client's hello asked for and this daemon knows; null before a hello. */
  features: readonly string[] | null = null;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  agree(hello: string): void {
    const asked = (JSON.parse(hello) as { readonly hello: { readonly features?: unknown } | null }).hello?.features;
    this.features = known.filter((name) => Array.isArray(asked) && asked.includes(name));
  }

  write(data: string | Buffer): void {
    if (!this.#socket.destroyed) this.#socket.write(data);
  }

  /** Ends the connection after what was written. */
  close(): void {
    this.#socket.end();
  }

  /** Cuts the connection; bytes that were not read make the kernel report a reset to the client. */
  cut(): void {
    this.#socket.destroy();
  }

  /** Reads no more. */
  stopReading(): void {
    this.#socket.pause();
  }

  get isGone(): boolean {
    return this.#socket.destroyed;
  }

  /** A well-formed ALLOW as an object, with changes. */
  answer(id: string, changes: Fields = {}): Fields {
    const details = this.features?.includes("details") === true ? { details: null } : {};
    return {
      attributed_to: null,
      ...details,
      id,
      modified_args: null,
      modified_result: null,
      policy_id: null,
      reason: "",
      v: 1,
      verdict: 0,
      ...changes,
    };
  }

  /** The same as text, without its newline. */
  allow(id: string, changes: Fields = {}): string {
    return JSON.stringify(this.answer(id, changes));
  }

  hello(id: string, changes: Fields = {}, frame: Fields = {}): string {
    const hello = {
      daemon: "interlock/misbehaving",
      features: this.features ?? [],
      max_frame: 8_388_608,
      mode: "enforce",
      rules: `sha256:${"0".repeat(64)}`,
      rules_version: 1,
      ...changes,
    };
    return `${JSON.stringify({ hello, id, v: 1, ...frame })}\n`;
  }
}

export const errorText = (id: string, code: string): string =>
  JSON.stringify({ error: { code, message: "refused" }, id, v: 1 });
