import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { errorName } from "../../../client-node/error-name.ts";
import type { Channel, Outgoing, Receiver } from "../relay/channel.ts";
import { LineChannel } from "./line-channel.ts";

/** How a server ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The server could not be started. */
export class NotStarted extends Error {
  override readonly name = "NotStarted";
}

/** How long a server has after its standard input ended, and after SIGTERM. */
const grace_ms = 5000;
/** What of the server's stderr waits for whoever reads ours; more is let go, so that the server never waits for it. */
const maxWaitingStderrBytes = 1024 * 1024;

/** An MCP server that this process started: its standard streams are the channel. */
export class ServerProcess implements Channel {
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcess;
  readonly #lines: LineChannel;
  #exit: Exit | null = null;

  /** @throws NotStarted */
  static async start(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<ServerProcess> {
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"], env });
    try {
      await once(child, "spawn");
    } catch (error) {
      throw new NotStarted(`the server cannot be started: ${errorName(error)}`);
    }
    return new ServerProcess(child);
  }

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#lines = new LineChannel(child.stdout as Readable, child.stdin as Writable);
    passStderr(child.stderr as Readable, process.stderr);
    // `close` comes after its streams are read to their ends.
    this.exited = once(child, "close").then(([code, signal]) => {
      this.#exit = { code, signal };
      return this.#exit;
    });
  }

  open(receiver: Receiver): Promise<void> {
    return this.#lines.open(receiver);
  }

  send(outgoing: Outgoing): Promise<void> {
    return this.#lines.send(outgoing);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** As the protocol ends a server: its input ends, then it is asked to end, then it is ended. */
  async close(): Promise<void> {
    this.#child.stdin?.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (await this.#endsWithin(grace_ms)) return;
      this.#child.kill(signal);
    }
    // What it started may hold its streams open for ever: nobody waits for those.
    if (!(await this.#endsWithin(grace_ms))) for (const stream of this.#child.stdio) stream?.destroy();
  }

  async #endsWithin(ms: number): Promise<boolean> {
    if (this.#exit !== null) return true;
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), ms);
    });
    const ended = await Promise.race([this.exited, over]);
    clearTimeout(timer);
    return ended !== null;
  }
}

const passStderr = (from: Readable, to: Writable): void => {
  let dropped = 0;
  from.on("data", (chunk: Buffer) => {
    if (to.writableLength > maxWaitingStderrBytes) {
      dropped += chunk.length;
      return;
    }
    if (dropped > 0) to.write(`interlock mcp: ${dropped} bytes of the server's stderr were not read in time\n`);
    dropped = 0;
    to.write(chunk);
  });
  // One listener for all servers of this process: a gateway starts many.
  if (!to.listeners("error").includes(unheard)) to.on("error", unheard);
};

/** Whoever read our stderr has gone; the server goes on. */
const unheard = (): void => {};
