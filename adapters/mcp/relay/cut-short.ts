import type { NotAMessage } from "./message.ts";

/** The call was taken back, or its server is gone: it is open whether it ran. Its message is the relay's own. */
export class CutShort extends Error {
  override readonly name = "CutShort";
}

/** The server answered, and what it answered is no message. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
  readonly problem: NotAMessage;

  constructor(problem: NotAMessage) {
    super(problem.message);
    this.problem = problem;
  }
}
