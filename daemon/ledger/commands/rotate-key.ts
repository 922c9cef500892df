import { type CommandResult, done, orRefusal } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import { rotateReceiptsKey } from "../checkpoints/rotate-receipts-key.ts";

/** `interlock receipts rotate-key --out FILE`: another key signs checkpoints from the next start on, by the old one's word. */
export const rotateKey = (state: string, out: string, now_ms: number): Promise<CommandResult> =>
  orRefusal(async () => {
    const { from, to } = await rotateReceiptsKey(state, out, now_ms);
    return done(
      [
        `key ${from.keyId} hands receipts over to key ${to.keyId}`,
        `wrote ${out}: whoever believes the old key takes it with interlock keys accept`,
      ],
      { role: "receipts", from: from.keyId, to: to.keyId, handover: out },
    );
  }, ExitCode.refused);
