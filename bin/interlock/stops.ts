import { Command } from "commander";
import { resolveSettings } from "../../daemon/config/resolve.ts";
import { Refusal } from "../../daemon/exit-codes.ts";
import { seatOf } from "../../daemon/operator/commands/seat.ts";
import { listStops, resumeAll, type Seated, stopAll } from "../../daemon/operator/commands/stops.ts";
import { stopFileIn } from "../../daemon/stops/stop-file.ts";
import { print } from "./print.ts";
import { type SeatedOptions, seat, seated } from "./seated.ts";

/** An operator's seat; who has none may still stop the daemon of his own directory. */
const seatedOr = async ({ config, state, as }: SeatedOptions): Promise<{ seat: Seated; stopFile: string }> => {
  const settings = await resolveSettings({ config, state }, process.env, process.cwd());
  const stopFile = stopFileIn(settings.state);
  try {
    return { seat: seatOf(settings, as, process.env), stopFile };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { seat: error, stopFile };
  }
};

export const stopCommand = (): Command =>
  seated(new Command("stop"))
    .description("block everything at once, on every daemon of the store, until it is resumed")
    .option("--reason <text>", "why", "")
    .action(async ({ reason, json, ...flags }) => {
      const { seat: by, stopFile } = await seatedOr(flags);
      print(await stopAll(by, stopFile, reason), json);
    });

export const resumeCommand = (): Command =>
  seated(new Command("resume"))
    .description("end what interlock stop, a signal or the file began; exit code 1 where something stands still")
    .requiredOption("--reason <text>", "why it is over")
    .option("--stop <id>", "this one only; it leaves the file alone")
    .action(async ({ reason, stop, json, ...flags }) => {
      const { seat: by, stopFile } = await seatedOr(flags);
      print(await resumeAll(by, stopFile, { stop_id: stop ?? null, reason }), json);
    });

export const stopsCommand = (): Command =>
  seated(new Command("stops"))
    .description("what is stopped, by whom, since when and why; exit code 1 where anything is")
    .action(async ({ json, ...flags }: SeatedOptions) => {
      const { stopFile } = await seatedOr(flags);
      print(await listStops(await seat(flags), stopFile), json);
    });
