import { randomUUID } from "node:crypto";

/** Ids of the relay's own requests. Nobody else can guess one, so that none is answered before it is asked, or taken for another's. */
export class OwnIds {
  readonly #prefix = `interlock-${randomUUID()}-`;
  #count = 0;

  next(): string {
    return `${this.#prefix}${++this.#count}`;
  }
}
