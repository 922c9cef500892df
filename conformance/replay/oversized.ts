import { MAX_LINE } from "../../wire/limits.ts";
import { mismatch } from "./match-frame.ts";
import { RawConnection, ReplayFailure } from "./raw-connection.ts";

const within_ms = 10_000;

/**
 * Wire v1's `oversized` negative: MAX_LINE + 1 bytes of `x` and a newline. The daemon answers before the last byte was
 * written and closes; what the kernel then says of our write (EPIPE, ECONNRESET) is no failure.
 */
export const playOversized = async (path: string, error: string): Promise<void> => {
  const connection = await RawConnection.open(path);
  try {
    connection.send(Buffer.concat([Buffer.alloc(MAX_LINE + 1, "x"), Buffer.from("\n")]));
    const wrong = mismatch(await connection.line(within_ms), { error, id: "" }, new Map());
    if (wrong !== null) throw new ReplayFailure(wrong);
    await connection.closed(within_ms);
  } finally {
    connection.drop();
  }
};
