import { ChildProcess } from "node:child_process";
import { Readable, Writable } from "node:stream";

const later = process.nextTick.bind(process) as (step: () => void) => void;

/**
 * What a callback form returns for a call that was refused: a process that never started, as for a program that is not there.
 * Its streams have ended; the callback, then `error` (where somebody listens) and `close` come after the call has returned.
 */
export const refusedChild = (error: unknown, callback: ((...args: unknown[]) => void) | null): ChildProcess => {
  const child = new ChildProcess();
  const stdin = new Writable({ write: (_chunk, _encoding, done) => done() });
  const stdout = new Readable({ read: () => undefined });
  const stderr = new Readable({ read: () => undefined });
  stdout.push(null);
  stderr.push(null);
  Object.assign(child, { stdin, stdout, stderr, stdio: [stdin, stdout, stderr] });
  later(() => {
    stdin.destroy();
    try {
      callback?.(error, "", "");
    } finally {
      if (child.listenerCount("error") > 0) child.emit("error", error);
      child.emit("close", -1, null);
    }
  });
  return child;
};
