import { isSha256 } from "../../../wire/sha256-name.ts";
import type { JsonObject } from "../../../wire/value.ts";
import { type CommandResult, done } from "../../commands/command-result.ts";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import type { RenderTerms } from "../../surfaces/review/render.ts";
import type { ServerKey } from "../../surfaces/surface.ts";
import { askOperators, type OperatorSeat } from "../ask-operators.ts";
import {
  diffLines,
  driftLine,
  driftLines,
  itemName,
  reviewLines,
  serverLine,
  versionLine,
} from "../display/surface-lines.ts";
import type { BaselineView, DriftDetail, DriftView, ServerDetail, ServerView } from "../surfaces-service.ts";
import { itemOf, namedServer } from "./named-server.ts";
import { orSaidNo } from "./or-said-no.ts";
import type { Named } from "./servers.ts";

/** Servers and items out of requests and answers are JSON. */
const asked = (value: object): JsonObject => value as JsonObject;

const listOf = async (
  seat: OperatorSeat,
  server: ServerKey | null,
): Promise<{ readonly drift: readonly DriftView[]; readonly total: number }> =>
  (await askOperators(seat, "drift.list", { server: server === null ? null : asked(server) })) as never;

/** `interlock drift list [NAME]`: what is not as it was approved, worst first. */
export const listDrift = (seat: OperatorSeat, { server, credential }: Partial<Named>): Promise<CommandResult> =>
  orSaidNo(async () => {
    const named = server === undefined ? null : await namedServer(seat, server, credential);
    const { drift, total } = await listOf(seat, named);
    const lines = drift.map(driftLine);
    if (lines.length < total) lines.push(`(the worst ${lines.length} of ${total})`);
    return done(lines.length === 0 ? ["everything is as it was approved"] : lines, { drift, total });
  });

const detailOf = async (seat: OperatorSeat, server: ServerKey, item: object): Promise<DriftDetail> => {
  const answer = await askOperators(seat, "drift.show", { server: asked(server), item: asked(item) });
  return answer.drift as unknown as DriftDetail;
};

/** `interlock drift show NAME ITEM`: what was found, and the hash that `approve` names. */
export const showDrift = (seat: OperatorSeat, { server, credential }: Named, item: string): Promise<CommandResult> =>
  orSaidNo(async () => {
    const drift = await detailOf(seat, await namedServer(seat, server, credential), itemOf(item));
    return done(driftLines(drift), { drift });
  });

export interface DiffTerms extends RenderTerms {
  readonly against: "observed" | "held";
  readonly tell: (items: number) => void;
}

/** `interlock drift diff NAME [ITEM]`: what it introduces, then what changed; of one item, or of each that drifted. */
export const diffDrift = (
  seat: OperatorSeat,
  { server, credential }: Named,
  item: string | undefined,
  terms: DiffTerms,
): Promise<CommandResult> =>
  orSaidNo(async () => {
    const named = await namedServer(seat, server, credential);
    if (item !== undefined) {
      const drift = await detailOf(seat, named, itemOf(item));
      return done(reviewOf(drift, terms), { drift: [drift] });
    }
    const { drift: views } = await listOf(seat, named);
    const details: DriftDetail[] = [];
    for (const view of views) {
      const { kind, name } = view;
      const whole =
        kind === "server"
          ? { ...view, approved: null, observed: null, held: null }
          : await detailOf(seat, named, { kind, name });
      details.push(whole);
      terms.tell(details.length);
    }
    const lines = details.flatMap((drift, at) => [...(at === 0 ? [] : [""]), ...reviewOf(drift, terms)]);
    return done(lines.length === 0 ? ["everything is as it was approved"] : lines, { drift: details });
  });

const reviewOf = (drift: DriftDetail, { against, columns }: DiffTerms): readonly string[] => {
  const as = drift.held_hash === drift.observed_hash ? "observed" : against;
  return [...driftLines(drift), ...diffLines(drift, as, { columns })];
};

const changed = (what: string, answer: JsonObject): CommandResult => {
  const server = answer.server as unknown as ServerView;
  return done([what, serverLine(server)], { server });
};

const reviewed = (hash: string | undefined, gone: boolean): string | null => {
  if (gone && hash === undefined) return null;
  if (!gone && hash !== undefined && isSha256(hash)) return hash;
  throw new Refusal(
    ExitCode.refused,
    "name what was reviewed: --hash sha256:<hex>, as interlock drift diff tells it under observed; or --gone where it is not listed any more",
  );
};

/** `interlock drift approve NAME ITEM --hash H`: what was reviewed and nothing else. */
export const approveDrift = (
  seat: OperatorSeat,
  { server, credential }: Named,
  item: string,
  { hash, gone }: { readonly hash: string | undefined; readonly gone: boolean },
): Promise<CommandResult> => {
  const as = reviewed(hash, gone);
  return orSaidNo(async () => {
    const named = await namedServer(seat, server, credential);
    const of = itemOf(item);
    const answer = await askOperators(seat, "drift.approve", { server: asked(named), item: asked(of), hash: as });
    return changed(`${itemName(of)} is approved as ${as ?? "not listed any more"}`, answer);
  });
};

/** `interlock drift quarantine NAME ITEM`. */
export const quarantineDrift = (
  seat: OperatorSeat,
  { server, credential }: Named,
  item: string,
  reason: string,
): Promise<CommandResult> =>
  orSaidNo(async () => {
    const named = await namedServer(seat, server, credential);
    const of = itemOf(item);
    const answer = await askOperators(seat, "drift.quarantine", { server: asked(named), item: asked(of), reason });
    return changed(`${itemName(of)} is quarantined until somebody approves it`, answer);
  });

/** `interlock drift rebaseline NAME`: stages the newest listing; with both hashes as they were reviewed, promotes it. */
export const rebaseline = (
  seat: OperatorSeat,
  { server, credential }: Named,
  expected: { readonly current: string | undefined; readonly candidate: string | undefined },
): Promise<CommandResult> =>
  orSaidNo(async () => {
    const named = await namedServer(seat, server, credential);
    const { current, candidate } = expected;
    if (current === undefined && candidate === undefined) return staged(seat, named);
    if (
      !(candidate !== undefined && isSha256(candidate)) ||
      !(current === "none" || (current !== undefined && isSha256(current)))
    ) {
      throw new Refusal(
        ExitCode.refused,
        "name both as they were reviewed: --current sha256:<hex> (or none) and --candidate sha256:<hex>",
      );
    }
    const answer = await askOperators(seat, "drift.rebaseline", {
      server: asked(named),
      current: current === "none" ? null : current,
      candidate,
    });
    return changed("everything that was listed last is approved", answer);
  });

const staged = async (seat: OperatorSeat, named: ServerKey): Promise<CommandResult> => {
  const answer = await askOperators(seat, "servers.show", { server: asked(named) });
  const detail = answer.server as unknown as ServerDetail;
  const { drift, total } = await listOf(seat, named);
  const lines = [
    serverLine(detail),
    ...reviewLines(detail),
    ...drift.map((view) => `  ${driftLine(view)}`),
    total === 0
      ? "everything is as it was approved"
      : "nothing was changed: look at it with interlock drift diff, then name both hashes by --current and --candidate",
  ];
  return done(lines, { current: detail.current_hash, candidate: detail.candidate_hash, drift, total });
};

/** `interlock drift history NAME`: versions of the baseline, newest first. */
export const driftHistory = (seat: OperatorSeat, { server, credential }: Named): Promise<CommandResult> =>
  orSaidNo(async () => {
    const named = await namedServer(seat, server, credential);
    const answer = await askOperators(seat, "drift.history", { server: asked(named) });
    const history = answer.history as unknown as readonly BaselineView[];
    return done(history.length === 0 ? ["nothing was approved yet"] : history.map(versionLine), { history });
  });
