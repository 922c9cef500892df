import { admit } from "../../../wire/admission.ts";
import { WireError } from "../../../wire/errors.ts";
import type { Phase } from "../../../wire/event.ts";
import { decideOffline, type OfflineEvent } from "../../../wire/fallback/decide.ts";
import { validityOf } from "../../../wire/fallback/validity.ts";
import { isObject } from "../../../wire/fields.ts";
import { type CommandResult, orRefusal } from "../../commands/command-result.ts";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import { readCandidate, signatureNote } from "./candidate.ts";

export interface ExplainCommand {
  readonly path: string;
  readonly action: string;
  /** JSON text of an object. */
  readonly args: string;
  readonly phase: Phase;
  readonly principal: string | null;
  readonly now_ms: number;
}

/** `interlock fallback explain FILE --action A --args JSON`: what a client would decide, and by which rule. */
export const explain = ({ path, now_ms, ...call }: ExplainCommand): Promise<CommandResult> =>
  orRefusal(async () => {
    const { policy, isSigned } = await readCandidate(path, now_ms);
    const event = eventOf(call);
    const decided = decideOffline(policy, event);
    const { verdict, rule } = decided;
    const validity = isSigned ? validityOf(policy, now_ms) : "valid";
    const by = rule === null ? "no rule allows it" : `rule ${rule}`;
    const lines = [
      `${verdict} ${event.action} by ${policy.id} version ${policy.version}: ${by}`,
      ...(validity === "valid"
        ? []
        : [
            `note: the policy is ${validity === "expired" ? "past its not_after" : "before its not_before"}: a client blocks everything`,
          ]),
      ...(isSigned ? [signatureNote] : []),
    ];
    return {
      exitCode: verdict === "ALLOW" && validity === "valid" ? ExitCode.done : ExitCode.no,
      lines,
      json: { ok: true, verdict, rule, policy: `${policy.id}@${policy.version}`, validity },
    };
  }, ExitCode.refused);

const eventOf = ({ action, args, phase, principal }: Omit<ExplainCommand, "path" | "now_ms">): OfflineEvent => {
  let json: ReturnType<typeof admit>;
  try {
    json = admit(Buffer.from(args, "utf8"));
  } catch (error) {
    if (error instanceof WireError) throw notArgs();
    throw error;
  }
  if (!isObject(json)) throw notArgs();
  return { action, phase, principal, args: json };
};

const notArgs = (): Refusal => new Refusal(ExitCode.refused, `--args is not a JSON object such as '{"path":"/srv/a"}'`);
