import { runInThisContext } from "node:vm";
import { itemsOf } from "../items-of.ts";

const { setPrototypeOf } = Object;
const promise: object = globalThis.Promise.prototype;
const list: object = globalThis.Array.prototype;

/**
 * A preload runs the guard in a realm of its own, where `globalThis` is the program's (realm/realm.ts). What the guard makes for the
 * program is given the program's prototypes, so that it is an instance of the program's classes.
 */
export const promiseOfProgram = <T>(made: Promise<T>): Promise<T> => setPrototypeOf(made, promise) as Promise<T>;

export const listOfProgram = <T>(made: readonly T[]): T[] => setPrototypeOf(itemsOf(made), list) as T[];

type Methods = Pick<AsyncGenerator<unknown>, "next" | "return">;
const generator = runInThisContext("(async function* () {})()") as object;

/** The methods of the program's asynchronous generators, which Node's are, as they are before the program. */
export const generatorOfProgram: Methods = (({ next, return: end }: Methods) => ({ next, return: end }))(
  Object.getPrototypeOf(Object.getPrototypeOf(generator)) as Methods,
);
