import { randomUUID } from "node:crypto";
import { RawConnection } from "../../../conformance/replay/raw-connection.ts";
import type { Stage } from "./stage.ts";

const answersWithin_ms = 20_000;
const features = ["call_id", "details", "escalate", "escape", "replace_args", "replay"];

interface Answer {
  readonly verdict?: number;
  readonly details?: { readonly code: string };
  readonly error?: { readonly code: string };
}

/**
 * An agent in another language: it writes the arguments as JSON text of its own, runs the call on ALLOW and on a rewrite, and
 * then reports a result. `ran` counts the runs.
 */
export class WireAgent {
  ran = 0;
  readonly #connection: RawConnection;
  readonly #principal: string;
  #asked = 0;

  private constructor(connection: RawConnection, principal: string) {
    this.#connection = connection;
    this.#principal = principal;
  }

  static async open({ socket }: Stage, principal = "eval-agent"): Promise<WireAgent> {
    const agent = new WireAgent(await RawConnection.open(socket), principal);
    await agent.#ask(`"hello":{"client":"eval/1","features":${JSON.stringify(features)}}`);
    return agent;
  }

  /** @param args JSON text, or what claims to be. Resolves to the code of the decision or of the error. */
  async put(tool: string, args: string): Promise<string> {
    const call = `"action":"${tool}","call_id":"${randomUUID()}","principal":"${this.#principal}"`;
    const { verdict, details, error } = await this.#ask(`"event":{${call},"phase":"call","args":${args}}`);
    if (verdict === 0 || verdict === 2) {
      this.ran++;
      await this.#ask(`"event":{${call},"phase":"result","args":{"receipt":"${this.ran}"}}`);
    }
    return details?.code ?? error?.code ?? "none";
  }

  close(): void {
    this.#connection.drop();
  }

  async #ask(body: string): Promise<Answer> {
    this.#connection.send(Buffer.from(`{"v":1,"id":"${++this.#asked}",${body}}\n`));
    return JSON.parse((await this.#connection.line(answersWithin_ms)).toString("utf8")) as Answer;
  }
}

export const withWireAgent = async <T>(stage: Stage, work: (agent: WireAgent) => Promise<T>): Promise<T> => {
  const agent = await WireAgent.open(stage);
  try {
    return await work(agent);
  } finally {
    agent.close();
  }
};
