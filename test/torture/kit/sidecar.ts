import { type Verified, verifyChain } from "../../../daemon/ledger/test-verify-chain.ts";
import { openReceiptReader } from "../../../daemon/store/sqlite/read-receipts.ts";
import { findStateDirectory } from "../../../daemon/store/state-directory.ts";
import { type Daemon, startDaemon } from "../../kit/daemon.ts";
import { makePlace, type Place } from "../../kit/place.ts";
import { start } from "../../kit/processes.ts";
import { program } from "../../kit/programs.ts";
import { tortureRules } from "./rules.ts";

export interface SidecarOptions {
  /** Another state directory than the place's own. */
  readonly state?: string;
}

/** A daemon of a test's own that can be killed and started again on the same state. A call that no rule covers is blocked. */
export class Sidecar {
  readonly socket: string;
  readonly state: string;
  readonly place: Place;
  readonly #arguments: readonly string[];
  #daemon: Daemon | null = null;

  private constructor(place: Place, state: string) {
    this.place = place;
    this.socket = place.socket;
    this.state = state;
    this.#arguments = ["--state", state];
  }

  static async make({ state }: SidecarOptions = {}): Promise<Sidecar> {
    const place = await makePlace(tortureRules, "unknown: block\n");
    return new Sidecar(place, state ?? place.state);
  }

  static async started(options: SidecarOptions = {}): Promise<Sidecar> {
    const sidecar = await Sidecar.make(options);
    await sidecar.start();
    return sidecar;
  }

  get #running(): Daemon {
    if (this.#daemon === null) throw new Error("the daemon was not started");
    return this.#daemon;
  }

  get pid(): number {
    return this.#running.pid;
  }

  get isAlive(): boolean {
    return this.#running.isAlive();
  }

  /** What it wrote on stderr since its last start. */
  get log(): string {
    return this.#running.stderr();
  }

  /** Resolves when it serves. */
  async start(): Promise<void> {
    this.#daemon = await startDaemon(this.place, this.#arguments);
  }

  /** Starts it and kills it so many milliseconds later, wherever it is by then. */
  async startAndKill(after_ms: number): Promise<void> {
    const running = start(program("interlock-sidecar"), this.#arguments, { env: this.place.env });
    await new Promise((resolve) => setTimeout(resolve, after_ms));
    running.child.kill("SIGKILL");
    await running.ended;
  }

  /** SIGKILL, and wait until it is gone. */
  async kill(): Promise<void> {
    await this.#running.kill();
  }

  /** SIGTERM; the exit code. */
  async stop(): Promise<number | null> {
    return (await this.#running.stop()).code;
  }

  /** Walks the whole chain as `interlock receipts verify` does. */
  verify(): Verified {
    const reader = openReceiptReader(findStateDirectory(this.state));
    try {
      return verifyChain(reader.chain, reader.rows(1, Number.MAX_SAFE_INTEGER), null, () => undefined);
    } finally {
      reader.close();
    }
  }

  /** Every receipt, in order. */
  receipts(): readonly Readonly<Record<string, unknown>>[] {
    const reader = openReceiptReader(findStateDirectory(this.state));
    try {
      return [...reader.rows(1, Number.MAX_SAFE_INTEGER)].map(
        ({ receipt }) => JSON.parse(receipt) as Readonly<Record<string, unknown>>,
      );
    } finally {
      reader.close();
    }
  }
}
