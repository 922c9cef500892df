const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;

/**
 * A class that Node makes when it is first asked for: what the name stood for before the program, whatever it has put there
 * since. Not asked for at once, which takes longer than all else that a preload does.
 */
const lazily = <T>(name: string): (() => T) => {
  const first: PropertyDescriptor = getOwnPropertyDescriptor(globalThis, name) ?? {};
  let known: T | undefined;
  return () => {
    known ??= first.get === undefined ? (first.value as T) : made<T>(name, first.get);
    return known;
  };
};

/** Asking for it puts the class in its place: what the program put there comes back. */
const made = <T>(name: string, get: () => unknown): T => {
  const now = getOwnPropertyDescriptor(globalThis, name);
  const known = apply(get, globalThis, []) as T;
  if (now !== undefined && now.get !== get) defineProperty(globalThis, name, now);
  return known;
};

type Requests = new (url: string, init: RequestInit) => Request;
type HeaderLists = new (given: unknown) => Headers;

export const requestClass: () => Requests = lazily("Request");
const headersClass: () => HeaderLists = lazily("Headers");

/** By its prototypes, which no `Symbol.hasInstance` of the program's answers for. */
export const isRequest = (value: unknown): value is Request => {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = requestClass().prototype;
  for (let at: object | null = value; at !== null; at = Object.getPrototypeOf(at)) if (at === prototype) return true;
  return false;
};

const getterOf = (prototype: object, key: string): (() => unknown) => {
  const { get } = getOwnPropertyDescriptor(prototype, key) ?? {};
  if (get === undefined) throw new TypeError(`this Node has no getter '${key}'`);
  return get;
};

/** Getters that a subclass put before Node's are not asked. */
export const requestPart = (request: Request, key: "url" | "method" | "headers"): unknown => {
  const value = apply(getterOf(requestClass().prototype as object, key), request, []);
  return key === "headers" ? headersOf(value as Headers) : value;
};

/** Any form of headers as one object of text. */
export const flattenedHeaders = (given: unknown): Record<string, string> => {
  const Known = headersClass();
  return headersOf(new Known(given));
};

const headersOf = (headers: Headers): Record<string, string> => {
  const flat: Record<string, string> = {};
  apply(headersClass().prototype.forEach, headers, [
    (value: string, name: string) => {
      flat[name] = value;
    },
  ]);
  return flat;
};
