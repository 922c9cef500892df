/** Exit codes of both commands (docs/errors.md lists them; scripts rely on them). */
export const ExitCode = Object.freeze({
  done: 0,
  /** The check ran and the answer is no. */
  no: 1,
  /** Usage, configuration, rules or keys refused. */
  refused: 2,
  /** Another daemon serves this socket. */
  alreadyServed: 3,
  /** The socket cannot be served: unsafe directory, permissions. */
  cannotServe: 4,
  /** Store or coordination unavailable. */
  storeUnavailable: 5,
});
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** A start-up that does not happen: one line for the person who started it, and the exit code. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}
