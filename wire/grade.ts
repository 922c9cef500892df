/**
 * How a client says it intercepts, `<sync|async>/<enforce|monitor>`: does the caller wait in place (a blocked thread) or on a
 * promise, and does the client act on the verdict or only note it. A claim: the daemon cannot see what a client does with a
 * verdict.
 */
export const grades = Object.freeze(["async/enforce", "async/monitor", "sync/enforce", "sync/monitor"] as const);

export type Grade = (typeof grades)[number];

export const isGrade = (value: unknown): value is Grade => (grades as readonly unknown[]).includes(value);
