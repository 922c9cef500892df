import { KeyRefused } from "../../keys/key-error.ts";
import { openCheckpoints } from "../../store/open-checkpoints.ts";
import type { ReceiptPlace } from "../../store/receipt-reader.ts";
import { StoreFailed, StoreRefused } from "../../store/refused.ts";
import { findStateDirectory } from "../../store/state-directory.ts";
import { assertSignsOn, receiptsKey } from "./receipts-key.ts";
import { ChainContradicted, type CheckpointPace, CheckpointSigner } from "./signer.ts";

/** How often it is looked whether there is something to sign: a quarter of what may pass before it is signed. */
const lookEvery_ms = ({ after_ms }: CheckpointPace): number => Math.min(250, Math.max(20, Math.floor(after_ms / 4)));
/** After a failure: a store that is away is not asked four times a second. */
const lookAfterFailure_ms = 1_000;

/** Null where all that is due is signed; one line where it cannot be. Told when it changes. */
export type SigningState = string | null;

/** Checkpoints as they are due, until they are stopped. */
export interface Signing {
  /** Makes the last one, and resolves when the store is closed. */
  stop(): Promise<void>;
}

interface Open {
  readonly signer: CheckpointSigner;
  close(): Promise<void>;
}

/**
 * Looks now and then whether a checkpoint is due. What fails is told and tried again: no verdict waits for a checkpoint, and
 * none is given or kept back for want of one.
 */
export const signNowAndThen = (
  place: ReceiptPlace,
  pace: CheckpointPace,
  onChange: (state: SigningState) => void,
): Signing => {
  let open: Open | null = null;
  let state: SigningState = null;
  let stopping: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  const tell = (now: SigningState): void => {
    if (now !== state) onChange(now);
    state = now;
  };
  /** Whether it went well. */
  const sign = async (what: "look" | "last"): Promise<boolean> => {
    try {
      open ??= await openSigner(place, pace);
      await open.signer[what]();
      tell(null);
      return true;
    } catch (error) {
      tell(lineOf(error));
      return false;
    }
  };
  const turn = async (): Promise<void> => {
    const isWell = await sign("look");
    if (stopping === null) timer = setTimeout(next, isWell ? lookEvery_ms(pace) : lookAfterFailure_ms);
  };
  let looking: Promise<void> = Promise.resolve();
  const next = (): void => {
    looking = turn();
  };
  next();
  return {
    stop: () => {
      clearTimeout(timer);
      stopping ??= looking.then(async () => {
        await sign("last");
        await open?.close();
      });
      return stopping;
    },
  };
};

const openSigner = async (place: ReceiptPlace, pace: CheckpointPace): Promise<Open> => {
  const directory = findStateDirectory(place.state);
  const store = await openCheckpoints(place);
  try {
    const newest = await store.newest();
    const key = await receiptsKey(directory.receiptsKeyPath, newest !== null);
    if (newest !== null) await assertSignsOn(directory.receiptsKeyPath, key, store.chain, newest.note);
    const signer = new CheckpointSigner({
      store,
      directory,
      key,
      pace,
      now_ms: Date.now,
      monotonic_ms: () => performance.now(),
    });
    return { signer, close: async () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
};

/** What is not one of ours is named by its type only. */
const lineOf = (error: unknown): string => {
  const isOurs =
    error instanceof StoreFailed ||
    error instanceof StoreRefused ||
    error instanceof KeyRefused ||
    error instanceof ChainContradicted;
  return isOurs ? error.message : `signing failed (${error instanceof Error ? error.constructor.name : typeof error})`;
};
