import { deadlineRace, type expired } from "./deadline.ts";
import type { DeadlineTimer, ResumptionWatch, RuleWatch } from "./watch.ts";

/** What is needed to run signed code that is no rule under the same watch as one. */
export interface Watches {
  readonly watch: RuleWatch;
  readonly timer: DeadlineTimer;
  readonly resumptions: ResumptionWatch;
}

/** Runs it at once; a loop in it is ended by the watchdog, which knows it by `number`. Throws what it throws. */
export const watchedNow = <T>(watches: Watches, number: number, work: () => T): T => {
  watches.watch.enter(number);
  try {
    return work();
  } finally {
    watches.watch.leave();
  }
};

/** Runs what answers later, watched at each of its resumptions. Resolves to `expired` past `deadline_ms`. */
export const watchedLater = async <T>(
  watches: Watches,
  number: number,
  deadline_ms: number,
  stamp: () => void,
  work: () => Promise<T>,
): Promise<T | typeof expired> => {
  const { watch, timer, resumptions } = watches;
  const turn = {
    enter: () => {
      stamp();
      watch.enter(number);
    },
    leave: () => watch.leave(),
  };
  watch.enter(number);
  try {
    const answer = resumptions.run(turn, work);
    watch.leave();
    return await deadlineRace(answer, deadline_ms, timer);
  } finally {
    watch.leave();
    resumptions.decided();
  }
};
