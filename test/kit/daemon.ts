import { answers } from "../../conformance/running-daemon.ts";
import type { Place } from "./place.ts";
import { type Ended, type Running, start, until } from "./processes.ts";
import { program } from "./programs.ts";

/** A daemon that serves. */
export interface Daemon extends Running {
  /** SIGTERM, and how it ended. */
  stop(): Promise<Ended>;
  /** SIGKILL. */
  kill(): Promise<Ended>;
}

/** Starts the daemon of a place, and resolves once it listens. */
export const startDaemon = async (place: Place, args: readonly string[] = []): Promise<Daemon> => {
  const running = start(program("interlock-sidecar"), args, { env: place.env });
  const end = (signal: NodeJS.Signals) => (): Promise<Ended> => {
    running.child.kill(signal);
    return running.ended;
  };
  await until(
    "the daemon listens",
    async () => {
      if (!running.isAlive()) throw new Error(`the daemon ended: ${running.stderr()}`);
      return running.stderr().includes("listening on") && (await answers(place.socket));
    },
    30_000,
  );
  return { ...running, stop: end("SIGTERM"), kill: end("SIGKILL") };
};

/** Runs the daemon's command to its end: for what it refuses, and for `--check`. */
export const runDaemon = (place: Place, args: readonly string[] = [], uid?: number): Promise<Ended> =>
  start(program("interlock-sidecar"), args, { env: place.env, ...(uid === undefined ? {} : { uid }) }).ended;

/** Runs `interlock ARGS` in a place. */
export const interlock = (
  { env }: Pick<Place, "env">,
  args: readonly string[],
  input = "",
  cwd = process.cwd(),
): Promise<Ended> => start(program("interlock"), args, { env, input, cwd }).ended;

/** The receipts of a place, as `interlock receipts tail` prints them; fails where the chain is not whole. */
export const receiptsOf = async (place: Place): Promise<readonly Receipt[]> => {
  const verified = await interlock(place, ["receipts", "verify"]);
  if (verified.code !== 0) throw new Error(`the chain is not whole: ${verified.stderr}`);
  const { stdout, stderr, code } = await interlock(place, ["receipts", "tail", "-n", "1000000", "--json"]);
  if (code !== 0) throw new Error(`the receipts cannot be read: ${stderr}`);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => parseLine(line));
};

export interface Receipt {
  readonly seq: number;
  readonly kind: "decision" | "control";
  readonly [field: string]: unknown;
}

const parseLine = (line: string): Receipt => {
  const { receipt } = JSON.parse(line) as { receipt: Receipt | string };
  return typeof receipt === "string" ? (JSON.parse(receipt) as Receipt) : receipt;
};
