const program: typeof globalThis = globalThis;
const { setTimeout: start, clearTimeout: stop } = program;
const clock = program.performance;
const { now } = clock;
const { apply } = Reflect;
const { unref } = Object.getPrototypeOf(stopped()) as { readonly unref: () => unknown };

function stopped(): NodeJS.Timeout {
  const timer = start(() => undefined, 1);
  stop(timer);
  return timer;
}

/** A timer that nothing of the program's is asked about. */
class OwnTimer {
  readonly #timer: NodeJS.Timeout;

  constructor(timer: NodeJS.Timeout) {
    this.#timer = timer;
  }

  unref(): this {
    apply(unref, this.#timer, []);
    return this;
  }

  static stop(timer: OwnTimer): void {
    stop(timer.#timer);
  }
}

export const setTimeout = (step: () => void, after_ms: number): OwnTimer => new OwnTimer(start(step, after_ms));
export const clearTimeout = (timer: OwnTimer): void => OwnTimer.stop(timer);

export const performance = Object.freeze({ now: (): number => apply(now, clock, []) });
