import { openLedger } from "../../daemon/ledger/open.ts";
import type { DecisionRecord } from "../../daemon/ledger/record.ts";
import { CommitGroup } from "../../daemon/socket/commit-group.ts";
import type { Connection } from "../../daemon/socket/connection.ts";
import { OpenCalls } from "../../daemon/socket/open-calls.ts";
import { type Bench, QuestionDesk } from "../../daemon/socket/question-desk.ts";
import { type Session, Sessions } from "../../daemon/socket/session.ts";
import type { StateDirectory } from "../../daemon/store/state-directory.ts";
import { EngineSlot, newSlotMemory } from "../../daemon/supervisor/slot.ts";
import { noSurfaces } from "../../daemon/surfaces/surfaces.testkit.ts";
import { parseAnswer } from "../../wire/answer.ts";
import { featureSet } from "../../wire/features.ts";
import { parseRequest } from "../../wire/request.ts";
import { eventFrame } from "../../wire/request-frame.ts";
import { plainBench } from "../kit/plain-bench.ts";
import { Seeded } from "../torture/kit/seed.ts";
import { FailingLedger, questionKey } from "./failing-ledger.ts";
import { simEngine } from "./sim-engine.ts";
import { allowedVerdicts, deadline_ms } from "./sim-rules.ts";
import { SimTime } from "./sim-time.ts";

const features = featureSet(["call_id", "details", "escalate", "replace_args", "resend"]);
const actions = Object.keys(allowedVerdicts);

/** What may happen next, as often as it is listed. */
const steps = [
  ...Array.from({ length: 14 }, () => ["ask"] as const),
  ...Array.from({ length: 10 }, () => ["flush"] as const),
  ...Array.from({ length: 7 }, () => ["pass"] as const),
  ...Array.from({ length: 3 }, () => ["lose"] as const),
  ...Array.from({ length: 3 }, () => ["fail the disk"] as const),
  ...Array.from({ length: 2 }, () => ["fail the engine"] as const),
  ["reconnect"],
  ["reconnect"],
  ["ask again"],
  ["ask again"],
  ["set the clock back"],
  ["crash"],
] as const;

/** A question as its client has it. */
interface SimQuestion {
  readonly id: string;
  readonly action: string;
  readonly line: Buffer;
  answer: string | null;
}

interface Client {
  readonly nonce: string;
  readonly questions: SimQuestion[];
  connection: SimConnection | null;
}

/** What the desk needs of a connection; what is flushed while it lives reaches its client. */
class SimConnection {
  session: Session;
  /** None of them shows one. */
  readonly token = null;
  isAlive = true;
  undecided = 0;
  readonly #said: string[] = [];
  readonly #left: (frame: string, connection: SimConnection) => void;

  constructor(session: Session, left: (frame: string, connection: SimConnection) => void) {
    this.session = session;
    this.#left = left;
  }

  began(): void {
    this.undecided++;
  }

  ended(): void {
    this.undecided--;
  }

  say(frame: string): void {
    this.#said.push(frame);
  }

  flush(): void {
    for (const frame of this.#said.splice(0)) this.#left(frame, this);
  }

  /** The desk asks for the class, and needs these five members of it. */
  get asConnection(): Connection {
    return this as Pick<Connection, "session" | "began" | "ended" | "say" | "flush"> as Connection;
  }
}

export class InvariantBroken extends Error {
  override readonly name = "InvariantBroken";
}

const demand = (holds: boolean, what: string): void => {
  if (!holds) throw new InvariantBroken(what);
};

export interface Tally {
  questions: number;
  verdicts: number;
  notRecorded: number;
  askedAgain: number;
  crashes: number;
}

/** One slot for all: it is 8 MiB, and one engine runs at a time. */
const slot = new EngineSlot(newSlotMemory());

/**
 * Clients, connections, the desk, the group and a real ledger, in one thread, in an order that a seed chooses. Each frame that
 * leaves is held to the ledger at that moment.
 */
export class Simulation {
  readonly #from: Seeded;
  readonly #time: SimTime;
  readonly #directory: StateDirectory;
  readonly #durable = new Map<string, DecisionRecord[]>();
  readonly #frames = new Map<string, string>();
  readonly #actionOf = new Map<string, string>();
  readonly #clients: Client[];
  readonly #tally: Tally;
  #ledger!: FailingLedger;
  #sessions!: Sessions;
  #desk!: QuestionDesk;
  #flush: (() => void) | null = null;
  #engineFails = false;
  #broken: InvariantBroken | null = null;

  /** @param start_ms the time of day at which it begins */
  constructor(seed: number, directory: StateDirectory, start_ms: number, tally: Tally) {
    this.#from = new Seeded(seed);
    this.#time = new SimTime(start_ms);
    this.#directory = directory;
    this.#tally = tally;
    this.#clients = Array.from({ length: 1 + this.#from.below(3) }, (_, index) => ({
      nonce: `simulated-${seed}-client-${index}`.padEnd(24, "-"),
      questions: [],
      connection: null,
    }));
    this.#start();
  }

  /** Throws InvariantBroken. */
  async run(steps: number): Promise<void> {
    try {
      for (let step = 0; step < steps; step++) await this.#settle(() => this.#step());
      await this.#end();
    } finally {
      this.#ledger.close();
    }
  }

  #start(): void {
    const real = openLedger(this.#directory, {
      durability: "process",
      expectChain: null,
      now_ms: this.#time.now_ms(),
    });
    this.#ledger = new FailingLedger(real, this.#durable);
    this.#sessions = new Sessions();
    this.#flush = null;
    const time = this.#time;
    const state = simEngine(time, () => {
      if (!this.#engineFails) return;
      this.#engineFails = false;
      throw new TypeError("of the engine");
    });
    const now_ms = (): number => time.now_ms();
    const bench: Bench = {
      state,
      ...plainBench,
      overran: new Set(),
      ledger: this.#ledger,
      approved: { find: () => null },
      openCalls: new OpenCalls([]),
      slot,
      now_ms,
      surfaces: noSurfaces(),
    };
    const group = new CommitGroup(this.#ledger, (flush) => {
      this.#flush = flush;
    });
    this.#desk = new QuestionDesk(bench, group);
  }

  #step(): void {
    const from = this.#from;
    const client = from.pick(this.#clients);
    const [step] = from.pick(steps);
    switch (step) {
      case "ask":
        this.#ask(client);
        break;
      case "flush":
        this.#runFlush();
        break;
      case "pass":
        this.#time.pass(from.below(120));
        break;
      case "lose":
        this.#lose(client);
        break;
      case "reconnect":
        // A second connection under the same nonce, while the first is alive and may still be answered.
        this.#reconnect(client);
        break;
      case "ask again":
        this.#askAgain(client);
        break;
      case "fail the disk":
        this.#ledger.mood = from.pick(["refuses", "writes and reports an error", "takes the first half"] as const);
        this.#ledger.canRead = from.chance(0.7);
        break;
      case "fail the engine":
        this.#engineFails = true;
        break;
      case "set the clock back":
        this.#time.setBack(from.below(600_000));
        break;
      case "crash":
        this.#crash();
        break;
    }
  }

  #ask(client: Client): void {
    const id = `${client.questions.length}`;
    const action = this.#from.pick(actions);
    // Some wait longer than the deadline.
    const args = { wait_ms: this.#from.below(deadline_ms + 100), text: "x".repeat(this.#from.below(60)) };
    const frame = eventFrame(id, { action, args, phase: "call", call_id: `call-${id}` }, features);
    const question = { id, action, line: Buffer.from(frame.slice(0, -1)), answer: null };
    client.questions.push(question);
    this.#tally.questions++;
    this.#put(client, question);
  }

  #put(client: Client, { id, action, line }: SimQuestion): void {
    client.connection ??= this.#connect(client);
    const request = parseRequest(line, features);
    if (request.kind !== "event") throw new Error("not an event");
    this.#actionOf.set(questionKey(client.connection.session.key, id), action);
    this.#desk.ask(client.connection.asConnection, line, id, request);
  }

  #connect(client: Client): SimConnection {
    const joining = { nonce: client.nonce, features, scope: null, identity: null, client: "simulated" };
    const session = this.#sessions.join(joining, this.#time.now_ms(), (key) => this.#ledger.remembersSession(key));
    return new SimConnection(session, (frame, connection) => this.#left(client, frame, connection));
  }

  #unanswered(client: Client): readonly SimQuestion[] {
    return client.questions.filter(({ answer }) => answer === null);
  }

  /** As a client does: a new connection, and everything unanswered asked again on it. */
  #reconnect(client: Client): void {
    client.connection = this.#connect(client);
    for (const question of this.#unanswered(client)) {
      this.#tally.askedAgain++;
      this.#put(client, question);
    }
  }

  #askAgain(client: Client): void {
    const unanswered = this.#unanswered(client);
    // Only a nonce that came back can ask again on the connection that it has.
    if (unanswered.length === 0 || client.connection === null || client.connection.session.asksAgainUntil_ms === 0)
      return;
    this.#tally.askedAgain++;
    this.#put(client, this.#from.pick(unanswered));
  }

  #lose(client: Client): void {
    if (client.connection === null) return;
    client.connection.isAlive = false;
    this.#reconnect(client);
  }

  #crash(): void {
    this.#tally.crashes++;
    this.#time.forget();
    this.#ledger.close();
    this.#start();
    for (const client of this.#clients) this.#lose(client);
  }

  #runFlush(): void {
    const flush = this.#flush;
    this.#flush = null;
    flush?.();
  }

  #left(client: Client, frame: string, { session, isAlive }: SimConnection): void {
    const answer = parseAnswer(Buffer.from(frame), features);
    const key = questionKey(session.key, answer.id);
    if (answer.kind !== "answer") throw new InvariantBroken(`${key}: no decision but ${answer.kind}`);
    const { verdict, details } = answer.decision;
    const action = this.#actionOf.get(key) ?? "";
    demand(allowedVerdicts[action]?.includes(verdict) === true, `${key}: verdict ${verdict} for ${action}`);
    if (details?.code === "ledger_unavailable") {
      this.#tally.notRecorded++;
      demand(verdict === 1, `${key}: ${verdict} without a receipt`);
    } else {
      this.#tally.verdicts++;
      const [receipt, ...more] = this.#durable.get(key) ?? [];
      demand(receipt !== undefined, `${key}: verdict ${verdict} (${details?.code}) left without a durable receipt`);
      demand(more.length === 0, `${key}: decided ${more.length + 1} times`);
      demand(receipt?.code === details?.code, `${key}: told ${details?.code}, recorded ${receipt?.code}`);
      const before = this.#frames.get(key) ?? frame;
      demand(before === frame, `${key}: answered twice, and not the same`);
      this.#frames.set(key, frame);
    }
    const question = client.questions[Number(answer.id)];
    if (isAlive && question !== undefined) question.answer ??= frame;
  }

  /** A step and what follows of it by itself. What broke in a callback is thrown here. */
  async #settle(step: () => void): Promise<void> {
    try {
      step();
    } catch (error) {
      if (!(error instanceof InvariantBroken)) throw error;
      this.#broken ??= error;
    }
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#broken !== null) throw this.#broken;
  }

  /** Everything works again: every question has an answer at last, and nothing is left undecided. */
  async #end(): Promise<void> {
    this.#ledger.mood = "well";
    this.#ledger.canRead = true;
    this.#engineFails = false;
    for (const client of this.#clients) await this.#settle(() => this.#lose(client));
    for (let turn = 0; turn < 6; turn++) {
      await this.#settle(() => this.#time.pass(deadline_ms));
      await this.#settle(() => this.#runFlush());
    }
    for (const client of this.#clients) {
      demand(this.#unanswered(client).length === 0, `${client.nonce}: questions without an answer at the end`);
      demand((client.connection?.undecided ?? 0) === 0, `${client.nonce}: a connection that waits for ever`);
    }
    for (const [key, records] of this.#durable) demand(records.length === 1, `${key}: ${records.length} receipts`);
  }
}
