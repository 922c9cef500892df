const counterDigits = 12;
const counterMark = "0".repeat(counterDigits);
const digit0 = 0x30;

const frameText = (argumentBytes: number): string =>
  JSON.stringify({
    event: {
      action: "refund",
      args: { amount: 40, customer: "c-77", note: "n".repeat(argumentBytes), order_id: `ORD-${counterMark}` },
      call_id: `c-${counterMark}`,
      phase: "call",
      principal: "acme/agent42",
      ts: 1764478123.5,
    },
    id: `b-${counterMark}`,
    v: 1,
  });

/**
 * The frames of one block of a benchmark, built before the clock runs: `count` requests of the same length, each with
 * its own request id, call id and order. Every contender is sent these bytes.
 */
export class Frames {
  readonly count: number;
  readonly frameBytes: number;
  readonly #bytes: Buffer;
  readonly #marks: readonly number[];
  #first = 0;

  /** `argumentBytes` of filler make the request longer; with none it is about 200 bytes. */
  constructor(count: number, argumentBytes = 0) {
    const text = `${frameText(argumentBytes)}\n`;
    const frame = Buffer.from(text);
    this.count = count;
    this.frameBytes = frame.length;
    this.#marks = [...text.matchAll(new RegExp(counterMark, "g"))].map((match) => match.index);
    this.#bytes = Buffer.alloc(frame.length * count, frame);
  }

  /** Gives the frames numbers that no block before has used: a daemon may answer a repeated id from memory. */
  number(first: number): void {
    this.#first = first;
    for (let at = 0; at < this.count; at += 1) {
      for (const mark of this.#marks) {
        let rest = first + at;
        const start = at * this.frameBytes + mark;
        for (let digit = counterDigits - 1; digit >= 0; digit -= 1) {
          this.#bytes[start + digit] = digit0 + (rest % 10);
          rest = Math.floor(rest / 10);
        }
      }
    }
  }

  /** The bytes of `length` frames from the one at `at`, in one piece. */
  slice(at: number, length = 1): Buffer {
    return this.#bytes.subarray(at * this.frameBytes, (at + length) * this.frameBytes);
  }

  id(at: number): string {
    return `b-${String(this.#first + at).padStart(counterDigits, "0")}`;
  }
}
