import type { JsonObject } from "../../../wire/value.ts";
import { type CommandResult, done } from "../../commands/command-result.ts";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import { putStopFile, removeStopFile } from "../../stops/put-stop-file.ts";
import { reasonIn } from "../../stops/reason.ts";
import { lookAtStopFile } from "../../stops/stop-file.ts";
import { askOperators, type OperatorSeat, OperatorsAway, OperatorsSaidNo } from "../ask-operators.ts";
import { stopFileLine, stopLine } from "../display/stop-line.ts";
import type { StopsView, StopView } from "../stop-service.ts";
import { orSaidNo } from "./or-said-no.ts";

/** Who acts: an operator's seat, or why there is none here. */
export type Seated = OperatorSeat | Refusal;

const stopsIn = (answer: JsonObject): StopsView => answer as unknown as StopsView;

/**
 * `interlock stop`: by an operator, for every daemon of the store. Where no operator's token is here, or no daemon answers, by the file, for the
 * daemon of this state directory: whoever can stop the process can stop its calls.
 */
export const stopAll = (seated: Seated, stopFile: string, reason: string): Promise<CommandResult> =>
  orSaidNo(async () => {
    const why = reasonIn(reason);
    if (seated instanceof Refusal) return byFile(stopFile, why, seated.message);
    try {
      const answer = await askOperators(seated, "stops.begin", { reason: why });
      const stop = answer.stop as unknown as StopView;
      return done(["everything is stopped", stopLine(stop)], { stop });
    } catch (error) {
      if (!isNobodys(error)) throw error;
      return byFile(stopFile, why, error.message);
    }
  });

/** No daemon answers, so the store was not asked; what became of the file is said all the same. */
const away = (error: unknown, fileLine: string | null): CommandResult => {
  if (!(error instanceof OperatorsAway) || fileLine === null) throw error;
  const { exitCode, message } = error;
  return { exitCode, lines: [fileLine, message], json: { ok: false, code: "no_daemon", file: fileLine, message } };
};

/** There is no daemon, or nobody who may decide: then the file is the way. */
const isNobodys = (error: unknown): error is Refusal =>
  error instanceof OperatorsAway || (error instanceof OperatorsSaidNo && error.code !== "store_unavailable");

const byFile = (stopFile: string, reason: string, because: string): CommandResult => {
  putStopFile(stopFile, reason);
  const lines = [
    `the daemon of this state directory is stopped by the file ${stopFile}, within a quarter of a second`,
    `other daemons were not told: ${because}`,
  ];
  return done(lines, { file: stopFile, because });
};

/** `interlock resume`: ends one stop, or all that stand in the store, and takes the file away where there is one. */
export const resumeAll = (
  seated: Seated,
  stopFile: string,
  { stop_id, reason }: { readonly stop_id: string | null; readonly reason: string },
): Promise<CommandResult> =>
  orSaidNo(async () => {
    const removed = stop_id === null && removeStopFile(stopFile);
    const lines = removed ? [`the file ${stopFile} is removed`] : [];
    if (seated instanceof Refusal) {
      lines.push(`stops in the store were not looked at: ${seated.message}`);
      return {
        ...done(lines, { file_removed: removed, ended: [] }),
        exitCode: removed ? ExitCode.done : ExitCode.refused,
      };
    }
    let answer: JsonObject;
    try {
      answer = await askOperators(seated, "stops.end", { reason: reasonIn(reason), stop_id });
    } catch (error) {
      return away(error, lines[0] ?? null);
    }
    const ended = answer.ended as unknown as readonly StopView[];
    for (const stop of ended) lines.push(`ended ${stopLine(stop)}`);
    const { stops, file } = stopsIn(answer);
    const isFile = file !== null && lookAtStopFile(stopFile) !== null;
    const stands = [...stops.map(stopLine), ...(isFile ? [stopFileLine(file, stopFile)] : [])];
    const json = { file_removed: removed, ended: ended.map((stop) => ({ ...stop })), stops: [...stops] };
    if (stands.length > 0) {
      return {
        exitCode: ExitCode.no,
        lines: [...lines, ...stands.map((line) => `still stopped by ${line}`)],
        json: { ok: false, ...json },
      };
    }
    return done([...lines, lines.length === 0 ? "nothing was stopped" : "calls are judged again"], json);
  });

/** `interlock stops`: what stands; exit code 1 where anything does. */
export const listStops = (seat: OperatorSeat, stopFile: string): Promise<CommandResult> =>
  orSaidNo(async () => {
    let answer: JsonObject;
    try {
      answer = await askOperators(seat, "stops.list", {});
    } catch (error) {
      const here = lookAtStopFile(stopFile);
      return away(error, here === null ? null : stopFileLine(here, stopFile));
    }
    const { stops, file } = stopsIn(answer);
    const lines = [...stops.map(stopLine), ...(file === null ? [] : [stopFileLine(file, stopFile)])];
    const json = { stops: [...stops], file };
    if (lines.length === 0) return done(["nothing is stopped"], json);
    return { exitCode: ExitCode.no, lines, json: { ok: false, ...json } };
  });
