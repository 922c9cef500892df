import { randomBytes } from "node:crypto";

/** In the order of their codes, so that text sorts as the numbers do. */
const digits = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
const timeLength = 8;
/** 84 random bits: 14 characters of six. */
const randomLength = 14;
const bytesPerDraw = 4_096;

const timeText = (now_ms: number): string => {
  let rest = now_ms;
  let text = "";
  for (let at = 0; at < timeLength; at++) {
    text = digits.charAt(rest % 64) + text;
    rest = Math.floor(rest / 64);
  }
  return text;
};

/**
 * 22 characters of base64url: the time in milliseconds, then what nobody guesses. Ids of one time lie side by side in an
 * index, and a store writes one page for many instead of one for each. Drawn many at a time: one draw costs as much as hashing.
 */
const idSource = (): ((now_ms: number) => string) => {
  let pool = Buffer.alloc(0);
  let used = 0;
  return (now_ms) => {
    if (used + randomLength > pool.length) {
      pool = randomBytes(bytesPerDraw);
      used = 0;
    }
    let text = timeText(now_ms);
    for (const end = used + randomLength; used < end; used++) text += digits.charAt((pool[used] as number) & 63);
    return text;
  };
};

const next = idSource();

/** `tx_` and 22 characters, newer ones after older ones; 84 of its bits are random, so that nobody guesses another's. */
export const newTransactionId = (now_ms = Date.now()): string => `tx_${next(now_ms)}`;

/** `ap_` and 22 characters. */
export const newApprovalId = (now_ms = Date.now()): string => `ap_${next(now_ms)}`;

/** `st_` and 22 characters. */
export const newStopId = (now_ms = Date.now()): string => `st_${next(now_ms)}`;

/** `pr_` and 22 characters. */
export const newProbeId = (now_ms = Date.now()): string => `pr_${next(now_ms)}`;

const form = (prefix: string): RegExp => new RegExp(`^${prefix}_[A-Za-z0-9_-]{22}$`);
const transactionForm = form("tx");
const approvalForm = form("ap");
const stopForm = form("st");
const probeForm = form("pr");

export const isTransactionId = (text: string): boolean => text.length === 25 && transactionForm.test(text);

export const isApprovalId = (text: string): boolean => text.length === 25 && approvalForm.test(text);

export const isStopId = (text: string): boolean => text.length === 25 && stopForm.test(text);

export const isProbeId = (text: string): boolean => text.length === 25 && probeForm.test(text);
