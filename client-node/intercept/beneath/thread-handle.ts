import { Worker } from "node:worker_threads";
import { blocked } from "../../ask.ts";
import type { Guard } from "../ask.ts";
import { faced } from "../exec/face.ts";
import type { Patches } from "../patch.ts";
import type { AnyFunction } from "../wrap.ts";

/**
 * Each thread's object holds a handle, whose class starts threads that no preload comes before. Node has the class itself; a program
 * could only take it from a handle's `constructor`, where it finds one that refuses.
 */
export const guardThreadHandle = (patches: Patches, guard: Guard): void => {
  const prototype = handlePrototype();
  if (prototype === null) return;
  patches.replace(prototype, "constructor", (original: AnyFunction) => {
    function refusing(this: unknown, ...args: unknown[]): unknown {
      if (guard.refuses?.() === false) return Reflect.construct(original, args);
      throw blocked("worker_threads.Worker", "a thread is started by its handle alone, and would not be guarded");
    }
    refusing.prototype = prototype;
    return faced(refusing, original);
  });
};

// Taken before anything is patched.
const Thread = Worker;
const noFlag = "--interlock-no-such-flag";

/** A thread with a flag that there is not gets a handle, and is not started. What it is assigned to is seen on the way. */
const handlePrototype = (): object | null => {
  let handle: unknown = null;
  const seen = new Proxy(Thread.prototype, {
    set(_target, key, value, receiver) {
      if (typeof key === "symbol" && key.description === "kHandle") handle = value;
      return Reflect.defineProperty(receiver, key, { value, writable: true, enumerable: true, configurable: true });
    },
  });
  function target(): void {}
  target.prototype = seen;
  try {
    Reflect.construct(Thread, ["", { eval: true, execArgv: [noFlag] }], target);
  } catch {
    // As it should be.
  }
  return typeof handle === "object" && handle !== null ? (Object.getPrototypeOf(handle) as object) : null;
};
