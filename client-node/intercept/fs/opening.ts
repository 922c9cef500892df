import { ownPromise } from "../../own-promise.ts";
import type { Guard } from "../ask.ts";
import { closeSync, open, openFile, openSync } from "./captured.ts";
import { type Handle, methodsOf } from "./file-handle.ts";
import type { FileSpec } from "./file-spec.ts";
import { judge, judgeSync } from "./judged-descriptor.ts";
import { lateTruncation, truncateLate, truncateLateSync } from "./late-truncation.ts";
import type { Permitted } from "./permission.ts";

/** How a file is opened. */
export interface How {
  readonly flags: unknown;
  readonly mode: unknown;
}

export interface Opening {
  readonly spec: FileSpec;
  readonly permitted: Permitted;
  readonly guard: Guard;
}

// biome-ignore lint/suspicious/noExplicitAny: what the program passed is Node's to refuse
type Given = any;

/** Opens what was judged, or nothing; errors are Node's own. The file is not cut off before it is known to be that one. @throws BlockedError */
export const openJudgedSync = ({ spec, permitted, guard }: Opening, how: How): number => {
  const path: Given = permitted.runs[0];
  const late = lateTruncation(how.flags, permitted.resolved.resolved_path ?? null);
  const fd = openSync(path, late.flags as Given, how.mode as Given);
  try {
    judgeSync(fd, spec, permitted, guard);
    truncateLateSync(fd, late, path);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return fd;
};

/** As `fs.open`. @throws what Node throws at once for misuse */
export const openJudged = (
  { spec, permitted, guard }: Opening,
  how: How,
  opened: (error: unknown, fd?: number) => void,
): void => {
  const path: Given = permitted.runs[0];
  const late = lateTruncation(how.flags, permitted.resolved.resolved_path ?? null);
  open(path, late.flags as Given, how.mode as Given, (failure, fd) => {
    if (failure !== null) return opened(failure);
    const refuse = (error: unknown): void => {
      closeSync(fd);
      opened(error);
    };
    const goOn = (): void =>
      truncateLate(fd, late, path, (error) => {
        if (error !== null) refuse(error);
        else opened(null, fd);
      });
    let asking: Promise<void> | null;
    try {
      asking = judge(fd, spec, permitted, guard);
    } catch (error) {
      return refuse(error);
    }
    if (asking === null) goOn();
    else void asked(asking, goOn, refuse);
  });
};

/** Outside of the promise: what the program's callback throws is its uncaught exception. */
const asked = async (asking: Promise<void>, goOn: () => void, refuse: (error: unknown) => void): Promise<void> => {
  try {
    await ownPromise(asking);
    later(goOn);
  } catch (error) {
    later(refuse, error);
  }
};

/** As `fs.promises.open`. */
export const openJudgedHandle = async ({ spec, permitted, guard }: Opening, how: How): Promise<Handle> => {
  const path: Given = permitted.runs[0];
  const late = lateTruncation(how.flags, permitted.resolved.resolved_path ?? null);
  const handle = await ownPromise(openFile(path, late.flags as Given, how.mode as Given));
  const methods = methodsOf(handle);
  try {
    const fd = methods.fd(handle);
    const asking = judge(fd, spec, permitted, guard);
    if (asking !== null) await ownPromise(asking);
    if (late.truncates !== null) {
      await ownPromise(
        new Promise<void>((resolve, reject) =>
          truncateLate(fd, late, path, (error) => (error === null ? resolve() : reject(error))),
        ),
      );
    }
  } catch (error) {
    await ownPromise(methods.close(handle));
    throw error;
  }
  return handle;
};

const later = process.nextTick.bind(process) as (callback: (error: unknown) => void, ...args: unknown[]) => void;
