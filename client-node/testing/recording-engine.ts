import { Decision } from "../decision.ts";
import type { Engine } from "../guard-options.ts";
import type { UncheckedEvent } from "../sensor-event.ts";

export interface RecordingEngine extends Engine {
  readonly events: UncheckedEvent[];
}

/** An engine in this process that answers what `judge` says and keeps what it was asked. */
export const recordingEngine = (
  judge: (event: UncheckedEvent) => Decision | Promise<Decision> = () => Decision.allow(),
): RecordingEngine => {
  const events: UncheckedEvent[] = [];
  return {
    events,
    evaluate: async (event) => {
      events.push(event);
      return judge(event);
    },
  };
};
