import { type CircuitBreakerPolicy, ConsecutiveBreaker, circuitBreaker, handleAll } from "cockatiel";
import type { ClassifierOptions } from "./options.ts";

/** What the classifier said of one text: a score from 0 to 1, or null where it could not be asked. */
export type Classified = number | null;

/** More of an answer than this is no score. */
const mostAnswerBytes = 4_096;

/** Asks a service of the operator's own about texts. Never throws: what it does not answer is null. */
export class Classifier {
  readonly #options: ClassifierOptions;
  readonly #breaker: CircuitBreakerPolicy;

  constructor(options: ClassifierOptions) {
    this.#options = options;
    this.#breaker = circuitBreaker(handleAll, {
      halfOpenAfter: options.pause_ms,
      breaker: new ConsecutiveBreaker(options.failuresBeforePause),
    });
  }

  async score(text: string): Promise<Classified> {
    try {
      return await this.#breaker.execute(() => this.#ask(text.slice(0, this.#options.maxCharacters)));
    } catch {
      return null;
    }
  }

  async #ask(text: string): Promise<number> {
    const { url, timeout_ms } = this.#options;
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text }),
      // A redirect would take the text somewhere that nobody chose.
      redirect: "error",
      signal: AbortSignal.timeout(timeout_ms),
    });
    if (!response.ok) throw new Error("no score");
    return scoreOf(await boundedText(response));
  }
}

const boundedText = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostAnswerBytes) throw new Error("no score");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};

/** `{"score": 0.93}`; anything else is no answer. */
const scoreOf = (answer: string): number => {
  const { score } = JSON.parse(answer) as { score?: unknown };
  if (typeof score !== "number" || !(score >= 0 && score <= 1)) throw new Error("no score");
  return score;
};
