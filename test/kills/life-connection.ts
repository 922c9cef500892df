import type { Connection } from "../../daemon/socket/connection.ts";
import { type Session, versionOneSession } from "../../daemon/socket/session.ts";

/** What the desks need of a connection; what is flushed while the daemon and the peer live is heard. */
export class LifeConnection {
  session: Session = versionOneSession();
  framesSeen = 0;
  readonly ownIds = new Map<string, string | null>();
  isCut = false;
  readonly #hears: (frame: string) => void;
  #said: string[] = [];

  constructor(hears: (frame: string) => void) {
    this.#hears = hears;
  }

  began(): void {}

  ended(): void {}

  say(frame: string): void {
    this.#said.push(frame);
  }

  flush(): void {
    const said = this.#said;
    this.#said = [];
    if (!this.isCut) for (const frame of said) this.#hears(frame);
  }

  /** The desks ask for the class, and need these members of it. */
  get asConnection(): Connection {
    return this as Pick<
      Connection,
      "session" | "framesSeen" | "ownIds" | "began" | "ended" | "say" | "flush"
    > as Connection;
  }
}
