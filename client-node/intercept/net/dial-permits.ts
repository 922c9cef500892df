/**
 * The addresses that each socket may dial: those that were judged for it. Asked once more where the address goes to the kernel, so
 * that what was judged is what is dialed.
 */
export class DialPermits {
  readonly #allowed = new WeakMap<object, Set<string>>();

  /** A socket that connects anew is judged anew. */
  clear(socket: object): void {
    this.#allowed.delete(socket);
  }

  /** A path has no port. */
  allow(socket: object, address: string, port?: number): void {
    const addresses = this.#allowed.get(socket) ?? new Set();
    addresses.add(`${address} ${port}`);
    this.#allowed.set(socket, addresses);
  }

  has(socket: unknown, address: string, port?: unknown): boolean {
    if (typeof socket !== "object" || socket === null) return false;
    return this.#allowed.get(socket)?.has(`${address} ${port}`) ?? false;
  }
}
