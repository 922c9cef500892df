/** The sockets of this package's own connections to a daemon. */
const own = new WeakSet<object>();

export const isOwnSocket = (value: unknown): boolean => typeof value === "object" && value !== null && own.has(value);

export const markOwnSocket = (socket: object): void => {
  own.add(socket);
};
