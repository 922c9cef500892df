import { oneLine } from "../../../client-node/one-line.ts";
import { maxNoticesOfAKind } from "./limits.ts";

/** What the person at the host's log is told: a line each, few of a kind, the rest counted. */
export class Notices {
  readonly #write: (line: string) => void;
  readonly #counts = new Map<string, number>();

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** `kind` is a fixed phrase; `detail` has names in it, never a value. */
  tell(kind: string, detail = ""): void {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    if (count > maxNoticesOfAKind) return;
    const last = count === maxNoticesOfAKind ? " (and more of these are only counted)" : "";
    this.#write(`interlock mcp: ${oneLine(`${kind}${detail === "" ? "" : `: ${detail}`}${last}`)}\n`);
  }

  /** Told at the end: what was only counted. */
  summary(): void {
    for (const [kind, count] of this.#counts) {
      if (count > maxNoticesOfAKind) this.#write(`interlock mcp: ${kind}: ${count} times\n`);
    }
  }
}
