import { isIP } from "node:net";
import { BlockedError } from "../../blocked-error.ts";
import { itemsOf } from "../../items-of.ts";
import { ownPromise } from "../../own-promise.ts";
import { listOfProgram } from "../program-realm.ts";
import type { AnyFunction } from "../wrap.ts";

interface Found {
  readonly address: string;
  readonly family: number;
}

/** The address that may be dialed in place of the one found. Rejects with BlockedError. */
export type JudgeAddress = (host: string, address: string) => Promise<string>;

const isAddress = (value: unknown): value is string => typeof value === "string" && isIP(value) !== 0;
const later = process.nextTick.bind(process) as (step: AnyFunction, ...args: unknown[]) => void;

/**
 * A resolver whose every answer is judged before the socket sees it. Of several addresses the refused ones are left out; where none
 * is left, the first refusal is the resolver's error. There is no second resolution: the socket dials what it is given.
 */
export const judgedLookup =
  (resolve: AnyFunction, judge: JudgeAddress): AnyFunction =>
  (host: string, options: unknown, callback: AnyFunction): unknown =>
    resolve(host, options, (error: unknown, answer: unknown, family: unknown) => {
      if (error) {
        callback(error, answer, family);
        return;
      }
      const isList = Array.isArray(answer);
      const found: readonly unknown[] = isList ? itemsOf(answer) : [{ address: answer, family }];
      void answered(host, found, judge, isList, callback);
    });

const answered = async (
  host: string,
  found: readonly unknown[],
  judge: JudgeAddress,
  isList: boolean,
  callback: AnyFunction,
): Promise<void> => {
  try {
    const allowed = await ownPromise(judged(host, found, judge));
    if (isList) later(callback, null, listOfProgram(allowed));
    else later(callback, null, allowed[0]?.address, allowed[0]?.family);
  } catch (refusal) {
    later(callback, refusal);
  }
};

const judged = async (host: string, found: readonly unknown[], judge: JudgeAddress): Promise<readonly Found[]> => {
  const allowed: Found[] = [];
  let refusal: BlockedError | null = null;
  for (const entry of found) {
    const { address, family } = (entry ?? {}) as Partial<Found>;
    if (!isAddress(address)) {
      // Node refuses it with an error of its own, and dials nothing.
      allowed.push(entry as Found);
      continue;
    }
    try {
      const permitted = await ownPromise(judge(host, address));
      allowed.push({ address: permitted, family: permitted === address ? (family as number) : isIP(permitted) });
    } catch (error) {
      if (!(error instanceof BlockedError)) throw error;
      refusal ??= error;
    }
  }
  if (refusal !== null && allowed.length === 0) throw refusal;
  return allowed;
};
