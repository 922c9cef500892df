/** Where the call that an approval was asked for is kept, sealed. */
export const argsPlace = (approval_id: string): string => `args:${approval_id}`;

/** Where the result of an executed call is kept, sealed. */
export const resultPlace = (transaction_id: string): string => `result:${transaction_id}`;
