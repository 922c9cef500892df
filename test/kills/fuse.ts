import type { Seeded } from "../torture/kit/seed.ts";

/** Who runs the store transaction that is killed. */
export type Work = "call" | "vote" | "recovery";

/** Where a daemon or a client is killed. */
export const killPoints = [
  "before the frame is read",
  "judged, not written",
  "call: in the transaction",
  "call: before COMMIT",
  "call: COMMIT on its way",
  "call: half written",
  "call: after COMMIT",
  "answered",
  "vote: in the transaction",
  "vote: before COMMIT",
  "vote: after COMMIT",
  "recovery: in the transaction",
  "recovery: before COMMIT",
  "recovery: after COMMIT",
  "half settled",
  "just started",
  "client: asked",
  "client: may run",
  "client: ran",
  "client: result sent",
  "client: result recorded, answer lost",
] as const;

export type KillPoint = (typeof killPoints)[number];

/** Blows once, at one point, the so-manieth time that it is passed. What blew is counted. */
export class Fuse {
  readonly blown = new Map<KillPoint, number>();
  #point: KillPoint | null = null;
  #passes = 0;

  /** A store transaction has many steps: which of them is killed is drawn from more. */
  arm(point: KillPoint, from: Seeded): void {
    this.#point = point;
    this.#passes = from.below(mostPasses(point));
  }

  disarm(): void {
    this.#point = null;
  }

  get isArmed(): boolean {
    return this.#point !== null;
  }

  blowsAt(point: KillPoint): boolean {
    if (point !== this.#point || this.#passes-- > 0) return false;
    this.#point = null;
    this.blown.set(point, (this.blown.get(point) ?? 0) + 1);
    return true;
  }
}

const mostPasses = (point: KillPoint): number => {
  // Few calls come that far.
  if (point.startsWith("client")) return 1;
  if (!point.endsWith("in the transaction")) return 2;
  return point.startsWith("call") ? 12 : 4;
};
