import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { refund } from "../../scenarios/arguments.ts";
import { withAgent } from "../../stage/agent.ts";
import { addOperator, grantAll } from "../../stage/operators.ts";
import type { Stage } from "../../stage/stage.ts";
import { type CrashCall, crashTool, type Step, steps } from "./run-call.ts";

/** Who is killed at which step of which call. */
export interface Schedule {
  readonly killed: "daemon" | "client";
  readonly step: Step;
  readonly call: CrashCall;
}

const killable = ["daemon", "client"] as const;

/** Each step of a submitted call and of a resumed one, each with the daemon killed there and with the client. */
export const scheduleCount = 2 * killable.length * steps.length;

/** The client lives, or its repeat is the first that asks: the call has its effect. */
export const mustRun = ({ killed, step }: Pick<Schedule, "killed" | "step">): boolean =>
  killed === "daemon" || step === "before";

export const mustRunCount = 2 * (steps.length + 1);

const submitted = (stage: Stage): readonly Schedule[] =>
  killable.flatMap((killed, who) =>
    steps.map((step, at) => ({
      killed,
      step,
      call: {
        callId: randomUUID(),
        args: refund(`Z${who}`, at + 1, 120),
        approvalId: null,
        effects: join(stage.home, `effects-submit-${killed}-${step}`),
      },
    })),
  );

/** Asks for the approvals, lets the daemon die once before they are granted, and has them granted. */
const resumed = async (stage: Stage): Promise<readonly Schedule[]> =>
  withAgent(stage, async (agent) => {
    await addOperator(stage, "olga");
    const schedules: Schedule[] = [];
    for (const [who, killed] of killable.entries()) {
      for (const [at, step] of steps.entries()) {
        const args = refund(`ZR${who}`, at + 1, 900);
        const approval = await agent.request(crashTool, args);
        const effects = join(stage.home, `effects-resume-${killed}-${step}`);
        schedules.push({ killed, step, call: { ...approval, args, effects } });
      }
    }
    await stage.kill();
    await stage.start();
    await grantAll(
      stage,
      schedules.map(({ call }) => call.approvalId as string),
      "olga",
    );
    return schedules;
  });

export const schedulesOn = async (stage: Stage): Promise<readonly Schedule[]> => [
  ...submitted(stage),
  ...(await resumed(stage)),
];
