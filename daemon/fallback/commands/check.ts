import { type CommandResult, done, orRefusal } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import { asidesOf } from "../asides.ts";
import { readCandidate, signatureNote } from "./candidate.ts";

/** `interlock fallback check FILE`: would it be signed, and what does it say? */
export const check = (path: string, now_ms: number): Promise<CommandResult> =>
  orRefusal(async () => {
    const { policy, isSigned } = await readCandidate(path, now_ms);
    const { id, version, rules, not_before_ms, not_after_ms } = policy;
    const until = new Date(not_after_ms).toISOString();
    const from = not_before_ms === null ? null : new Date(not_before_ms).toISOString();
    const asides = asidesOf(policy);
    return done(
      [
        `${id} version ${version}: ${rules.length} rule${rules.length === 1 ? "" : "s"}, ${from === null ? "" : `from ${from} `}until ${until}`,
        ...rules.map(
          (rule) =>
            `  ${rule.effect} ${rule.id}: ${rule.actions.join(", ")} (${rule.phase === "both" ? "call and result" : rule.phase})`,
        ),
        ...asides.map((aside) => `note: ${aside}`),
        ...(isSigned ? [signatureNote] : []),
      ],
      {
        id,
        version,
        signed: isSigned,
        not_before: from,
        not_after: until,
        rules: rules.map((rule) => rule.id),
        notes: asides,
      },
    );
  }, ExitCode.no);
