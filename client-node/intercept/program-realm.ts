const { setPrototypeOf } = Object;
const promise: object = globalThis.Promise.prototype;

/**
 * A preload runs the guard in a realm of its own, where `globalThis` is the program's (realm/realm.ts). What the guard makes for the
 * program is given the program's prototypes, so that it is an instance of the program's classes.
 */
export const promiseOfProgram = <T>(made: Promise<T>): Promise<T> => setPrototypeOf(made, promise) as Promise<T>;
