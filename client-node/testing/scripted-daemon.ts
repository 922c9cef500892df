import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A socket's path in a directory of its own, short enough for AF_UNIX. */
export const socketPath = (): string => join(mkdtempSync(join(tmpdir(), "il-")), "g.sock");

/** One accepted connection, as a script sees it. */
export class Peer {
  readonly socket: Socket;
  /** Every line received, in order. */
  readonly lines: string[] = [];
  readonly #waiting: ((line: string | null) => void)[] = [];
  #read = 0;
  #rest = "";
  #isClosed = false;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => this.#push(text));
    socket.on("error", () => {});
    socket.on("close", () => {
      this.#isClosed = true;
      for (const resolve of this.#waiting.splice(0)) resolve(null);
    });
  }

  /** The next line, parsed; null where the client closed the connection instead. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was sent
  async next(): Promise<any> {
    const line = await this.line();
    return line === null ? null : JSON.parse(line);
  }

  line(): Promise<string | null> {
    if (this.#read < this.lines.length) return Promise.resolve(this.lines[this.#read++] as string);
    if (this.#isClosed) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#waiting.push((line) => {
        if (line !== null) this.#read++;
        resolve(line);
      });
    });
  }

  send(frame: string | Buffer | object): void {
    const isObject = typeof frame === "object" && !Buffer.isBuffer(frame);
    this.socket.write(isObject ? `${JSON.stringify(frame)}\n` : frame);
  }

  #push(text: string): void {
    const parts = (this.#rest + text).split("\n");
    this.#rest = parts.pop() as string;
    for (const line of parts) {
      this.lines.push(line);
      this.#waiting.shift()?.(line);
    }
  }
}

export type Script = (peer: Peer, connection: number) => void | Promise<void>;

/** A daemon that does what its script says, for each connection anew. */
export class ScriptedDaemon {
  readonly path: string;
  readonly peers: Peer[] = [];
  readonly #server: Server;

  private constructor(path: string, script: Script) {
    this.path = path;
    this.#server = createServer((socket) => {
      const peer = new Peer(socket);
      this.peers.push(peer);
      void script(peer, this.peers.length);
    });
  }

  static async listen(script: Script, path: string = socketPath()): Promise<ScriptedDaemon> {
    const daemon = new ScriptedDaemon(path, script);
    await new Promise<void>((resolve, reject) => {
      daemon.#server.once("error", reject).listen(path, resolve);
    });
    return daemon;
  }

  /** Ends every connection and takes the socket away. */
  async stop(): Promise<void> {
    for (const { socket } of this.peers) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
    if (existsSync(this.path)) rmSync(this.path);
  }
}

/** Every feature that the client offers. */
export const everyFeature = [
  "call_id",
  "details",
  "escalate",
  "escape",
  "grade",
  "replace_args",
  "replay",
  "resend",
  "surface",
];

export const helloAnswer = (features: readonly string[] = everyFeature): object => ({
  hello: {
    daemon: "scripted/1.0.0",
    features,
    max_frame: 8388608,
    mode: "enforce",
    rules: "sha256:00",
    rules_version: 1,
  },
  id: "h",
  v: 1,
});

/** Takes the hello and answers it. */
export const welcome = async (peer: Peer, features: readonly string[] = everyFeature): Promise<void> => {
  await peer.line();
  peer.send(helloAnswer(features));
};

/** The eight keys of an answer; with `details` the ninth. */
export const answerTo = (id: string, fields: object = {}, details: boolean | object = true): object => ({
  attributed_to: null,
  id,
  modified_args: null,
  modified_result: null,
  policy_id: null,
  reason: "",
  v: 1,
  verdict: 0,
  ...(details === false ? {} : { details: details === true ? null : details }),
  ...fields,
});

/** A daemon that welcomes everybody, answers each event with the fields that `judge` gives, and each listing with those of `see`. */
export const judging =
  (
    // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was sent
    judge: (event: any) => object,
    features: readonly string[] = everyFeature,
    // biome-ignore lint/suspicious/noExplicitAny: the same
    see: (surface: any) => object = () => ({}),
  ): Script =>
  async (peer) => {
    await welcome(peer, features);
    for (let frame = await peer.next(); frame !== null; frame = await peer.next()) {
      const fields = frame.surface === undefined ? judge(frame.event) : see(frame.surface);
      peer.send(answerTo(frame.id, fields, features.includes("details")));
    }
  };
