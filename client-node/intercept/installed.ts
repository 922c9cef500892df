import type { OutcomeBody, ResumeBody } from "../../wire/request-bodies.ts";
import type { SurfaceBody } from "../../wire/surface-body.ts";
import type { Decision } from "../decision.ts";
import type { UncheckedEvent } from "../sensor-event.ts";
import type { Coverage } from "./coverage/lists.ts";

/** What this thread is guarded by. */
export interface Installation {
  readonly lists: Coverage;
  /** The daemon's socket; null where the engine is not a `RemoteEngine`. */
  readonly socketPath: string | null;
  /** Puts a question over the guard's own connection. */
  evaluate(event: UncheckedEvent): Promise<Decision>;
  resume?(body: ResumeBody): Promise<Decision>;
  outcome?(body: OutcomeBody): Promise<Decision>;
  surface?(body: SurfaceBody): Promise<Decision | null>;
  replays?(): boolean;
}

/**
 * Kept on `process`, so that a second copy of this package in the same thread sees it. It can be neither deleted nor
 * replaced, and only whoever installed the guard can say that there is none any more: a program that could would install a second one,
 * and hand its threads that.
 */
interface Mark {
  current(): Installation | null;
  /** Null where there is one already; else the way back. */
  take(installation: Installation): (() => void) | null;
}

const key = Symbol.for("interlock.installed");

const newMark = (): Mark => {
  let installation: Installation | null = null;
  const current: Mark["current"] = () => installation;
  const take: Mark["take"] = (next) => {
    if (installation !== null) return null;
    installation = next;
    return () => {
      if (installation === next) installation = null;
    };
  };
  return Object.freeze(Object.assign(Object.create(null), { current, take })) as Mark;
};

/** @throws TypeError something else stands in its place: nobody can say then whether there is a guard */
const mark = (): Mark => {
  const known = Reflect.getOwnPropertyDescriptor(process, key);
  if (known === undefined) {
    const made = newMark();
    Object.defineProperty(process, key, { value: made, configurable: false, writable: false, enumerable: false });
    return made;
  }
  const { value, configurable, writable } = known;
  if (configurable === true || writable === true || typeof value?.current !== "function") {
    throw new TypeError("something else stands where this process notes its guard");
  }
  return value as Mark;
};

let ours: Installation | null = null;

/** What is guarded in this thread; null where nothing is. */
export const installedCoverage = (): Coverage | null => mark().current()?.lists ?? null;

/** The way back. @throws TypeError there is a guard already */
export const markInstalled = (installation: Installation): (() => void) => {
  const release = mark().take(Object.freeze(installation));
  if (release === null) throw new TypeError("this thread has a guard already");
  ours = installation;
  return () => {
    release();
    ours = null;
  };
};

/**
 * The guard of another copy of this package, where it asks the same daemon. Under it no other connection to the daemon's socket
 * is allowed, and the program's own engine asks through it.
 */
export const guardOf = (socketPath: string): Installation | null => {
  if (!Object.hasOwn(process, key)) return null;
  const current = mark().current();
  return current === ours || current?.socketPath !== socketPath ? null : current;
};
