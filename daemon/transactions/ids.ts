import { randomBytes } from "node:crypto";

const idBytes = 16;
const idsPerDraw = 128;

/** 22 characters of base64url each. Drawn many at a time: one draw costs as much as hashing. */
const randomIds = (): (() => string) => {
  let pool = Buffer.alloc(0);
  let used = 0;
  return () => {
    if (used === pool.length) {
      pool = randomBytes(idBytes * idsPerDraw);
      used = 0;
    }
    used += idBytes;
    return pool.toString("base64url", used - idBytes, used);
  };
};

const next = randomIds();

/** `tx_` and 22 characters: 128 random bits, so that nobody guesses another's. */
export const newTransactionId = (): string => `tx_${next()}`;

/** `ap_` and 22 characters. */
export const newApprovalId = (): string => `ap_${next()}`;

const form = (prefix: string): RegExp => new RegExp(`^${prefix}_[A-Za-z0-9_-]{22}$`);
const transactionForm = form("tx");
const approvalForm = form("ap");

export const isTransactionId = (text: string): boolean => text.length === 25 && transactionForm.test(text);

export const isApprovalId = (text: string): boolean => text.length === 25 && approvalForm.test(text);
