/** How long a call waits for Redis before it is blocked. */
export const enterTimeout_ms = 2_000;
/** A connection that has not answered for this long is given up for a new one. */
export const silence_ms = 4_000;
export const connectTimeout_ms = 2_000;
export const firstRetry_ms = 50;
export const maxRetry_ms = 1_000;
/** Between two attempts to tell what Redis refused to hear, such as when its memory was full. */
export const tellAgain_ms = 1_000;
/** Outcomes that wait for Redis to come back. Past it the oldest is not told: its claim becomes `unknown`, which runs nothing. */
export const maxOwed = 10_000;
/** An id that was given up takes nothing for this long: a command may lie in a frozen server's buffers. */
export const goneFor_ms = 86_400_000;
/** How long a stop waits for what is still to be told. */
export const farewell_ms = 1_000;
