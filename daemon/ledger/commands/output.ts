import { ExitCode } from "../../exit-codes.ts";
import { openReader, type ReceiptPlace, type ReceiptReader } from "../../store/receipt-reader.ts";
import { StoreFailed, StoreRefused } from "../../store/refused.ts";
import type { ChainProblem } from "../verify.ts";
import { chainProblems } from "../verify.ts";

/** What a command prints and how it ends. */
export interface CommandOutput {
  readonly exitCode: ExitCode;
  /** For standard output, in order, without line feeds. Reading an asynchronous one can throw CommandFailed. */
  readonly lines: Iterable<string> | AsyncIterable<string>;
  /** One line for standard error; null where there is nothing to say. */
  readonly error: string | null;
}

/** A command that was already printing cannot go on. `message` is one line. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const done = (lines: CommandOutput["lines"], error: string | null = null): CommandOutput => ({
  exitCode: ExitCode.done,
  lines,
  error,
});

export const refused = (exitCode: ExitCode, error: string): CommandOutput => ({ exitCode, lines: [], error });

/** The store's own words, and exit code 5. Any other error is a defect and passes through. */
export const storeError = (error: unknown): CommandOutput => {
  if (error instanceof StoreRefused || error instanceof StoreFailed) {
    return refused(ExitCode.storeUnavailable, error.message);
  }
  throw error;
};

/** Opens the receipts of a daemon for reading, runs, and closes them. */
export const reading = async (
  place: ReceiptPlace,
  run: (reader: ReceiptReader) => Promise<CommandOutput>,
): Promise<CommandOutput> => {
  try {
    const reader = await openReader(place);
    try {
      return await run(reader);
    } finally {
      await reader.close();
    }
  } catch (error) {
    return storeError(error);
  }
};

/** The same for what prints as it reads: the reader is closed when the last line was taken, or no more are wanted. */
export const streaming = async (
  place: ReceiptPlace,
  lines: (reader: ReceiptReader) => Iterable<string> | AsyncIterable<string>,
): Promise<CommandOutput> => {
  try {
    const reader = await openReader(place);
    return done(closing(reader, lines));
  } catch (error) {
    return storeError(error);
  }
};

async function* closing(
  reader: ReceiptReader,
  lines: (reader: ReceiptReader) => Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string> {
  try {
    yield* lines(reader);
  } catch (error) {
    if (error instanceof StoreFailed) throw new CommandFailed(ExitCode.storeUnavailable, error.message);
    throw error;
  } finally {
    await reader.close();
  }
}

export const problemLine = (seq: number, problem: ChainProblem): string =>
  `receipt ${seq}: ${problem} (${chainProblems[problem]})`;
