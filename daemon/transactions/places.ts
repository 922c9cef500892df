/** Where the call that an approval was asked for is kept, sealed. */
export const argsPlace = (approval_id: string): string => `args:${approval_id}`;

/** Where the result of an executed call is kept, sealed. */
export const resultPlace = (transaction_id: string): string => `result:${transaction_id}`;

/** Where a call is kept as it was put, sealed; the numbers of a chain lie in order. */
export const eventPlace = (chain: string, seq: number): string => `event:${chain}:${String(seq).padStart(16, "0")}`;
