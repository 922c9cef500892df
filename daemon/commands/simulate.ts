import { open } from "node:fs/promises";
import { createInterface } from "node:readline";
import { verdictName } from "../../wire/verdict.ts";
import type { UnknownSetting } from "../engine/unknown.ts";
import { ExitCode, Refusal } from "../exit-codes.ts";
import { type CandidateRules, candidateRules } from "./candidate-rules.ts";
import { judgementJson, judgementLine, judgeOffline, offlineState, readEvent } from "./judge-offline.ts";

export interface SimulateRequest {
  /** One event a line, or `-` for standard input. */
  readonly events: string;
  readonly rules: CandidateRules;
  /** Also judge by these, and tell only what differs. */
  readonly against: CandidateRules | null;
  readonly unknown: UnknownSetting;
  readonly now_ms: number;
}

/** One line of the outcome, in both forms. */
export interface SimulatedLine {
  readonly text: string;
  readonly json: object;
}

export interface SimulateSummary {
  readonly exitCode: ExitCode;
  readonly text: string;
  readonly json: object;
}

/**
 * `interlock simulate`: what would these rules say of these events? Tells each decision as it is made. Exit code 1
 * where a line is not an event, or with `against` where something would change.
 */
export const simulate = async (
  request: SimulateRequest,
  tell: (line: SimulatedLine) => void,
): Promise<SimulateSummary> => {
  const state = offlineState(await candidateRules(request.rules, request.now_ms), request.unknown);
  const other =
    request.against === null
      ? null
      : offlineState(await candidateRules(request.against, request.now_ms), request.unknown);
  const input = request.events === "-" ? process.stdin : await openEvents(request.events);
  const counts = { events: 0, unreadable: 0, changed: 0 };
  let number = 0;
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    if (text.trim() === "") continue;
    const read = readEvent(text, number);
    if ("error" in read) {
      counts.unreadable++;
      tell({ text: `${number} not an event: ${read.error}`, json: { line: number, error: read.error } });
      continue;
    }
    counts.events++;
    const { event } = read;
    const judged = await judgeOffline(event, state, request.now_ms);
    if (other === null) {
      tell({
        text: `${number} ${judgementLine(event.action, judged)}`,
        json: { line: number, ...judgementJson(event.action, judged) },
      });
      continue;
    }
    const current = await judgeOffline(event, other, request.now_ms);
    const [after, before] = [judgementJson(event.action, judged), judgementJson(event.action, current)];
    if (sameOutcome(after, before)) continue;
    counts.changed++;
    tell({
      text: `${number} ${event.action}: ${verdictName(current.verdict)} becomes ${judgementLine(event.action, judged)}`,
      json: { line: number, action: event.action, before, after },
    });
  }
  const events = `${counts.events} event${counts.events === 1 ? "" : "s"}`;
  const text = other === null ? `${events} judged` : `${counts.changed} of ${events} would change`;
  const ok = counts.unreadable === 0 && counts.changed === 0;
  return {
    exitCode: ok ? ExitCode.done : ExitCode.no,
    text: counts.unreadable === 0 ? text : `${text}; not events: ${counts.unreadable}`,
    json: { ok, ...counts },
  };
};

/** Refused before anything is judged, rather than in the middle of it. */
const openEvents = async (path: string) => {
  try {
    const file = await open(path);
    if ((await file.stat()).isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    return file.createReadStream();
  } catch (error) {
    throw new Refusal(ExitCode.refused, `${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
};

type Outcome = ReturnType<typeof judgementJson>;

/** The trace names other rules in another set; what the client is told is what counts. */
const sameOutcome = (a: Outcome, b: Outcome): boolean =>
  JSON.stringify({ ...a, trace: [], code: "" }) === JSON.stringify({ ...b, trace: [], code: "" });
