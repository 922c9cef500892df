import { WireError } from "../../wire/errors.ts";
import type { Connection, LineHandler } from "../socket/connection.ts";
import { operatorAnswer, operatorErrorOf, watchFrame } from "./answer.ts";
import { ApprovalService } from "./approval-service.ts";
import { maxOperatorConnections, maxOperatorFrameBytes, unrecognised_ms } from "./limits.ts";
import { noteOperators } from "./note-operators.ts";
import type { OperatorPlane } from "./operator-ledger.ts";
import { answerProbes } from "./probe-asks.ts";
import { ProbeService } from "./probe-service.ts";
import type { Operator, OperatorRegister } from "./register.ts";
import { idOf, type OperatorAsk, type OperatorRequest, parseOperatorRequest } from "./request.ts";
import { RetentionService } from "./retention-service.ts";
import { StopService } from "./stop-service.ts";
import { answerSurfaces } from "./surface-answers.ts";
import { SurfacesService } from "./surfaces-service.ts";
import { TransactionService } from "./transaction-service.ts";
import { ApprovalWatch, type Watcher } from "./watch.ts";

const tooLong = `an operator's frame is longer than ${maxOperatorFrameBytes} bytes`;

/**
 * Takes each line of the operators' socket to where it is answered. Who asks is proved by the token in every request, so an
 * operator that was removed is one no longer. Agents have another socket, and none of these requests there.
 */
export class OperatorDesk implements LineHandler {
  readonly connections = new Set<Connection>();
  /** The daemon is stopping. */
  draining = false;
  readonly #plane: OperatorPlane;
  readonly #register: OperatorRegister;
  readonly #approvals: ApprovalService;
  readonly #transactions: TransactionService;
  readonly #retention: RetentionService;
  readonly #stops: StopService;
  readonly #surfaces: SurfacesService;
  readonly #probes: ProbeService;
  readonly #watch: ApprovalWatch;
  /** Of the operators that the chain was told of. */
  #notedMark: string | null = null;
  /** When each connection that has shown no operator's token was first swept over; whoever has shown one is in none. */
  readonly #strangers = new Map<Connection, number | null>();
  readonly #watchers = new Map<Connection, Watcher>();

  constructor(plane: OperatorPlane, register: OperatorRegister) {
    this.#plane = plane;
    this.#register = register;
    this.#approvals = new ApprovalService(plane);
    this.#transactions = new TransactionService(plane);
    this.#retention = new RetentionService(plane);
    this.#stops = new StopService(plane);
    this.#surfaces = new SurfacesService(plane);
    this.#probes = new ProbeService(plane);
    this.#watch = new ApprovalWatch(this.#approvals);
  }

  /**
   * Anybody of this user may connect, and an agent is one. Whoever has shown no token makes room, the longest here first, so
   * that idle connections keep no operator out.
   */
  onOpen(): void {
    const newest = [...this.connections].at(-1);
    if (newest === undefined) return;
    this.#strangers.set(newest, null);
    if (this.connections.size <= maxOperatorConnections) return;
    const [longest = newest] = this.#strangers.keys();
    this.#cutOff(longest);
  }

  onLine(connection: Connection, line: Uint8Array): void {
    if (line.length >= maxOperatorFrameBytes) {
      connection.refuse(tooLong);
      return;
    }
    connection.began();
    this.#answer(connection, line).then((frame) => {
      connection.say(frame);
      connection.flush();
      connection.ended();
    });
  }

  /** A frame that is not finished and too long already is not waited for. */
  onHeldBytes(change: number): void {
    if (change <= 0) return;
    for (const connection of this.connections) {
      if (connection.heldBytes >= maxOperatorFrameBytes) connection.refuse(tooLong);
    }
  }

  hasRoom(): boolean {
    return true;
  }

  onClose(connection: Connection): void {
    this.connections.delete(connection);
    this.#strangers.delete(connection);
    const watcher = this.#watchers.get(connection);
    if (watcher === undefined) return;
    this.#watchers.delete(connection);
    this.#watch.end(watcher);
  }

  wantsFlush(connection: Connection): void {
    connection.flush();
  }

  /** Once a second: cuts off who is stuck, and who has shown no token for too long. */
  sweep(now_ms: number): void {
    for (const connection of this.connections) connection.sweep(now_ms);
    for (const [stranger, since_ms] of this.#strangers) {
      if (since_ms === null) this.#strangers.set(stranger, now_ms);
      else if (now_ms - since_ms > unrecognised_ms) this.#cutOff(stranger);
    }
  }

  /** Counted no more from here: its close may come later. */
  #cutOff(connection: Connection): void {
    this.connections.delete(connection);
    this.#strangers.delete(connection);
    connection.destroy();
  }

  /** Never rejects. */
  async #answer(connection: Connection, line: Uint8Array): Promise<string> {
    let request: OperatorRequest;
    try {
      request = parseOperatorRequest(line);
    } catch (error) {
      return operatorErrorOf(idOf(error), error);
    }
    try {
      const operator = this.#register.identify(request.token);
      this.#strangers.delete(connection);
      await this.#noteOperators();
      return operatorAnswer(request.id, await this.#do(connection, operator, request));
    } catch (error) {
      return operatorErrorOf(request.id, error);
    }
  }

  /** Who may decide is in the chain before anybody of them does. Throws OperatorRefused. */
  async #noteOperators(): Promise<void> {
    const { known } = this.#register;
    if (known === null || known.mark === this.#notedMark) return;
    const before = this.#notedMark;
    this.#notedMark = known.mark;
    try {
      await noteOperators(this.#plane, known.operators);
    } catch (error) {
      this.#notedMark = before;
      throw error;
    }
  }

  async #do(connection: Connection, operator: Operator, request: OperatorRequest): Promise<object> {
    const ask: OperatorAsk = request.ask;
    switch (ask.kind) {
      case "approvals.list":
        return { approvals: await this.#approvals.list(ask) };
      case "approvals.show":
        return { approval: await this.#approvals.show(ask.approval_id) };
      case "approvals.grant":
        return { approval: await this.#approvals.grant(operator, ask) };
      case "approvals.deny":
        return { approval: await this.#approvals.deny(operator, ask.approval_id, ask.note) };
      case "approvals.revoke":
        return { approval: await this.#approvals.revoke(operator, ask.approval_id) };
      case "approvals.watch":
        return { approvals: await this.#beginWatch(connection, request) };
      case "receipts.prune":
        return { through: await this.#retention.prune(operator, ask.bound) };
      case "transactions.list":
        return { transactions: await this.#transactions.list(ask) };
      case "transactions.show":
        return { transaction: await this.#transactions.show(ask.transaction_id) };
      case "transactions.resolve":
        return { transaction: await this.#transactions.resolve(operator, ask.transaction_id, ask.as) };
      case "stops.list":
        return this.#stops.list();
      case "stops.begin":
        return { stop: await this.#stops.begin(operator, ask.reason) };
      case "stops.end":
        return { ended: await this.#stops.end(operator, ask.stop_id, ask.reason), ...this.#stops.list() };
      case "probes.begin":
      case "probes.end":
      case "probes.list":
        return answerProbes(this.#probes, operator, ask);
      default:
        return answerSurfaces(this.#surfaces, operator, ask);
    }
  }

  /** Each thing it is told, it is told as the operator that it still is. */
  async #beginWatch(connection: Connection, { id, token }: OperatorRequest): Promise<readonly object[]> {
    if (this.#watchers.has(connection)) throw new WireError("bad_request", "this connection watches already");
    const watcher: Watcher = {
      tell: (watched) => {
        try {
          this.#register.identify(token);
          connection.say(watchFrame(id, watched));
        } catch (error) {
          connection.say(operatorErrorOf(id, error));
          this.#watch.end(watcher);
          this.#watchers.delete(connection);
          connection.drain();
        }
        connection.flush();
      },
    };
    this.#watchers.set(connection, watcher);
    try {
      return await this.#watch.begin(watcher);
    } catch (error) {
      this.#watchers.delete(connection);
      throw error;
    }
  }
}
