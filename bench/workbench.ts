import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type DaemonChoices, daemonArguments } from "./daemon.ts";
import type { Frames } from "./frames.ts";
import { type Cores, findCores, pin } from "./placement.ts";
import { type Answers, RawConnection } from "./raw-connection.ts";
import { ServerProcess } from "./server-process.ts";

export type FloorServer = "echo" | "parse-and-answer" | "parse-and-answer-batched";

/** A server with a raw client on it. */
export interface Contender {
  readonly server: ServerProcess;
  readonly connection: RawConnection;
}

/** Where benchmarks run: the pinned client, the servers of the group that is being measured, and their folder. */
export class Workbench {
  readonly runs: number;
  readonly cores: Cores;
  readonly #folder: string;
  readonly #say: (words: string) => void;
  readonly #closers: (() => Promise<void>)[] = [];
  #nextNumber = 1;
  #nextSocket = 1;

  /** Pins this process, which is the client of every benchmark, to the first core. */
  constructor(runs: number, say: (words: string) => void) {
    this.runs = runs;
    this.cores = findCores();
    this.#folder = mkdtempSync(join(tmpdir(), "interlock-bench-"));
    this.#say = say;
    pin(process.pid, this.cores.client);
  }

  progress(words: string): void {
    this.#say(words);
  }

  /** A path for a socket that nothing uses yet. */
  socketPath(): string {
    this.#nextSocket += 1;
    return join(this.#folder, `${this.#nextSocket}.sock`);
  }

  /** A path for a file of a benchmark's own. */
  filePath(name: string): string {
    return join(this.#folder, name);
  }

  async floor(kind: FloorServer, cores: string): Promise<Contender> {
    const script = fileURLToPath(new URL(`servers/${kind}.mjs`, import.meta.url));
    const answers = kind === "echo" ? "echo" : "verdicts";
    return this.#contend(cores, [script, this.socketPath()], answers);
  }

  async daemon(cores: string, choices: DaemonChoices): Promise<Contender> {
    return this.#contend(cores, await this.daemonArguments(choices), "verdicts");
  }

  /** What to start `node` with for a daemon on a new socket and a new state directory. */
  async daemonArguments(choices: DaemonChoices): Promise<readonly string[]> {
    return daemonArguments(this.#folder, this.socketPath(), choices);
  }

  /** Gives the frames numbers that no server of this run has seen. */
  renumber(frames: Frames): Frames {
    frames.number(this.#nextNumber);
    this.#nextNumber += frames.count;
    return frames;
  }

  /** Registers what has to be ended before the next group. */
  onClose(closer: () => Promise<void>): void {
    this.#closers.push(closer);
  }

  /** Ends the servers of the group that was measured. */
  async clear(): Promise<void> {
    for (const closer of this.#closers.splice(0).reverse()) await closer();
  }

  async close(): Promise<void> {
    await this.clear();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #contend(cores: string, args: readonly string[], answers: Answers): Promise<Contender> {
    const server = await ServerProcess.start(cores, args);
    this.onClose(() => server.stop());
    const connection = await RawConnection.open(server.socketPath, answers);
    this.onClose(async () => connection.close());
    return { server, connection };
  }
}
