import type { Settings } from "../config/settings.ts";
import type { OpenLedger } from "../ledger/record.ts";
import { orLater } from "../store/or-later.ts";
import { embeddedStore } from "../store/postgres/address.ts";
import type { FromEngine } from "../supervisor/messages.ts";
import { stopFileIn } from "./stop-file.ts";
import { StopMark } from "./stop-mark.ts";
import { Stops, type StopsTerms } from "./stops.ts";
import { lookEvery_ms, watchStops } from "./watch-stops.ts";

interface EngineTerms extends Pick<StopsTerms, "now_ms" | "rules"> {
  readonly tell: (message: FromEngine) => void;
}

/** The kill switch of one engine: what its parts ask, and who may turn it. */
export const engineStops = (
  ledger: OpenLedger,
  { socket, state, store }: Pick<Settings, "socket" | "state" | "store">,
  { now_ms, rules, tell }: EngineTerms,
) => {
  let begun = (): void => undefined;
  const mark = new StopMark(socket);
  const desk = new Stops({
    ledger,
    now_ms,
    rules,
    stopFile: stopFileIn(state),
    log: (line) => tell({ kind: "notice", line }),
    onBegun: () => {
      mark.shows(true);
      begun();
    },
  });
  // At the moment at which a call would be let run it is asked once more.
  ledger.isStopped = () => desk.state.block !== null;
  /** Somebody signalled the process. A store that is away is tried again (watch-stops.ts): everything is blocked meanwhile. */
  const bySignal = (): void =>
    orLater(async () => {
      await desk.begin("signal", "SIGUSR2");
      tell({ kind: "stop_written" });
    });
  return Object.freeze({
    desk,
    state: desk.state,
    bySignal,
    /** Before anybody is served. Throws StoreFailed. */
    async open(isAsked: boolean): Promise<void> {
      await desk.open();
      mark.shows(desk.state.block !== null);
      if (isAsked) bySignal();
    },
    onBegun(listener: () => void): void {
      begun = listener;
    },
    watch: () => {
      watchStops(desk, store !== embeddedStore, now_ms);
      setInterval(() => mark.shows(desk.state.block !== null), lookEvery_ms).unref();
    },
  });
};
