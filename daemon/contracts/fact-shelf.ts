import { createHash } from "node:crypto";
import type { FactSource } from "../../rules/contracts/tool.ts";
import { canonical } from "../../wire/canonical.ts";
import { encodeValue } from "../../wire/encode-value.ts";

/** What a resolver said, and when. */
export interface Fact {
  /** Undefined where it knows nothing of the key. */
  readonly value: unknown;
  readonly digest: string;
  readonly at_ms: number;
}

const maxKept = 1_000;

/** A resolver with what it said lately, used again while that is fresh. What it throws is thrown on, and kept by nobody. */
export class FactShelf {
  readonly #source: FactSource;
  readonly #kept = new Map<string, Fact>();

  constructor(source: FactSource) {
    this.#source = source;
  }

  async get(key: string | number | boolean, now_ms: number): Promise<Fact> {
    const { fetch, fresh_ms } = this.#source;
    const id = JSON.stringify(key);
    const kept = this.#kept.get(id);
    // A clock that was set back makes nothing fresh again.
    if (kept !== undefined && now_ms >= kept.at_ms && now_ms - kept.at_ms < fresh_ms) return kept;
    const value: unknown = await fetch(key);
    const fact = Object.freeze({ value, digest: digestOf(value), at_ms: now_ms });
    if (fresh_ms > 0) this.#keep(id, fact);
    return fact;
  }

  #keep(id: string, fact: Fact): void {
    this.#kept.delete(id);
    this.#kept.set(id, fact);
    if (this.#kept.size <= maxKept) return;
    for (const oldest of this.#kept.keys()) {
      this.#kept.delete(oldest);
      return;
    }
  }
}

/** Of nothing: the digest of null. Throws for what has no JSON form, which no receipt could name. */
const digestOf = (value: unknown): string =>
  createHash("sha256")
    .update(canonical(encodeValue(value ?? null, { escape: true })))
    .digest("hex");
