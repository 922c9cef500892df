import { acceptDocument, checkMayDecide } from "../../client-node/fallback/accept-document.ts";
import { FallbackRefused } from "../../client-node/fallback/refusal.ts";
import { BlockedError, enforceToolCall, RemoteEngine } from "../../client-node/index.ts";
import { rewrittenArgs } from "../../client-node/rewrite.ts";
import { sensorEvent } from "../../client-node/sensor-event.ts";
import { publicKeysOf } from "../../client-node/signed-file.ts";
import { admit } from "../../wire/admission.ts";
import { canonical } from "../../wire/canonical.ts";
import { encodeValue } from "../../wire/encode-value.ts";
import { WireError } from "../../wire/errors.ts";
import { decideOffline } from "../../wire/fallback/decide.ts";
import { parseFallbackPolicy } from "../../wire/fallback/parse-policy.ts";
import type { JsonObject } from "../../wire/value.ts";
import { noted, notedDecision, revivedArgs } from "../replay/client-values.ts";
import type { Answer, Question, Task, TaskClient } from "./protocol.ts";
import { typedValue } from "./typed-value.ts";

/** The Node client, driven by tasks in this process. */
export class NodeTaskClient implements TaskClient {
  readonly #engines = new Map<string, RemoteEngine>();

  async do(task: Task): Promise<Answer> {
    try {
      return await this.#done(task);
    } catch (error) {
      if (error instanceof BlockedError) return { blocked: error.decision.reason };
      if (error instanceof FallbackRefused) return { refused: error.code };
      if (error instanceof WireError) return { refused: error.code };
      return { failed: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#engines.values()].map((engine) => engine.close()));
    this.#engines.clear();
  }

  async #done(task: Task): Promise<Answer> {
    switch (task.op) {
      case "evaluate": {
        const args = revivedArgs(task.event.args);
        const decision = await this.#engine(task).evaluate(sensorEvent({ ...task.event, args }));
        const effective = noted(rewrittenArgs(args, decision)) as JsonObject;
        return { decision: notedDecision(decision), effective_args: effective };
      }
      case "call": {
        const engine = this.#engine(task);
        const args = await enforceToolCall(task.event.action, revivedArgs(task.event.args), { engine });
        return { args: noted(args) as JsonObject };
      }
      case "close": {
        const engine = this.#engines.get(task.client);
        this.#engines.delete(task.client);
        await engine?.close();
        return { closed: true };
      }
      case "canonical":
        return { text: canonical(admit(Buffer.from(task.hex, "hex"))) };
      case "encode":
        return { text: canonical(encodeValue(typedValue(task.value), { escape: task.escape })) };
      case "fallback_document": {
        const keys = publicKeysOf(Buffer.from(task.keys), "the keys");
        const accepted = acceptDocument(Buffer.from(task.document, "utf8"), keys, "the document");
        checkMayDecide(accepted, task.seen, Date.parse(task.now));
        return { accepted: true };
      }
      case "fallback_payload":
        parseFallbackPolicy(task.payload);
        return { accepted: true };
      case "fallback_decision": {
        const args = admit(Buffer.from(task.event.args, "utf8")) as JsonObject;
        return decideOffline(parseFallbackPolicy(task.payload), { ...task.event, args });
      }
      default:
        return { unsupported: true };
    }
  }

  #engine({ client, socket, timeout_ms }: Question): RemoteEngine {
    const known = this.#engines.get(client);
    if (known !== undefined) return known;
    const engine = new RemoteEngine(socket, { timeout: timeout_ms / 1000 });
    this.#engines.set(client, engine);
    return engine;
  }
}
