import { withOwnMethods } from "./own-methods.ts";

const Known = globalThis.URL;
const { canParse } = Known;
const { apply, getOwnPropertyDescriptor } = Reflect;
const href = getOwnPropertyDescriptor(Known.prototype, "href")?.get as (this: URL) => string;

/** Node's `URL`, with the getters that it has before the program. */
class OwnUrl extends Known {
  static override canParse(url: string): boolean {
    return canParse(url);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (typeof value !== "object" || value === null) return false;
    try {
      apply(href, value as URL, []);
      return true;
    } catch {
      return false;
    }
  }
}

withOwnMethods(OwnUrl, Known.prototype);

export { OwnUrl as URL };
