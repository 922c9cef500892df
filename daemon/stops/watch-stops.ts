import { StoreFailed } from "../store/refused.ts";
import type { Stops } from "./stops.ts";

/** How often the file, and a store that others write too, are looked at: a stop is noticed within this and one answer of the store. */
export const lookEvery_ms = 200;
/** A store that has not answered for so long may say that everything is stopped. */
const untoldAfter_ms = 2_000;

/** @param isShared whether other daemons can begin a stop in the same store. */
export const watchStops = (stops: Stops, isShared: boolean, now_ms: () => number): void => {
  every(lookEvery_ms, () => stops.lookAtFile());
  every(1_000, () => stops.retry());
  if (!isShared) return;
  let told_ms = performance.now();
  every(lookEvery_ms, async () => {
    await stops.look();
    told_ms = performance.now();
  });
  setInterval(() => {
    if (performance.now() - told_ms > untoldAfter_ms) stops.state.isUntold(now_ms());
  }, lookEvery_ms).unref();
};

/** One at a time. A store that fails is asked again; a fault of the program ends the engine, as it does elsewhere. */
const every = (interval_ms: number, work: () => Promise<void>): void => {
  let isUnderWay = false;
  setInterval(() => {
    if (isUnderWay) return;
    isUnderWay = true;
    work().then(
      () => {
        isUnderWay = false;
      },
      (error: unknown) => {
        isUnderWay = false;
        if (error instanceof StoreFailed) return;
        setImmediate(() => {
          throw error;
        });
      },
    );
  }, interval_ms).unref();
};
