import { syncBuiltinESMExports } from "node:module";
import { guardedLike, isGuarded } from "../guarded.ts";

const publish = syncBuiltinESMExports;

interface Patch {
  readonly object: object;
  readonly key: PropertyKey;
  readonly before: PropertyDescriptor;
  /** The value, or the setter. */
  readonly replacement: unknown;
}

type Setter = (value: unknown) => void;

/** The replaced members of one installation, and the way back. */
export class Patches {
  readonly #patches: Patch[] = [];

  /**
   * Replaces a member. One that this Node lacks, or that is guarded already, is left alone: answers false.
   *
   * @throws TypeError the member cannot be replaced
   */
  // biome-ignore lint/suspicious/noExplicitAny: members are of any type, and the maker knows it
  replace(object: object, key: PropertyKey, make: (original: any) => unknown): boolean {
    const before = Reflect.getOwnPropertyDescriptor(object, key);
    if (before === undefined) return false;
    const original: unknown = Reflect.get(object, key);
    if (original === undefined || isGuarded(original)) return false;
    const replacement = make(original);
    if (replacement === original) return false;
    const { enumerable = true, configurable = true } = before;
    const after = { value: replacement, writable: true, enumerable, configurable };
    if (!Reflect.defineProperty(object, key, after)) throw new TypeError(`'${String(key)}' cannot be guarded`);
    this.#patches.push({ object, key, before, replacement });
    return true;
  }

  /** Replaces what sets a member; one that this Node lacks, or that has no setter, is left alone. */
  replaceSetter(object: object, key: PropertyKey, make: (original: Setter) => Setter): boolean {
    const before = Reflect.getOwnPropertyDescriptor(object, key);
    if (before?.set === undefined) return false;
    const { set } = before;
    const made = make((value) => Reflect.apply(set, object, [value]));
    const replacement = guardedLike(function (this: unknown, value: unknown): void {
      made(value);
    }, set);
    if (!Reflect.defineProperty(object, key, { ...before, set: replacement })) {
      throw new TypeError(`'${String(key)}' cannot be guarded`);
    }
    this.#patches.push({ object, key, before, replacement });
    return true;
  }

  /** Makes the named exports of builtin modules follow, those of modules that are linked already included. */
  publish(): void {
    publish();
  }

  /** Puts back what is still ours. What somebody else has wrapped since stays, and runs as the original does. */
  uninstall(): void {
    for (const { object, key, before, replacement } of this.#patches.reverse()) {
      const { value, set } = Reflect.getOwnPropertyDescriptor(object, key) ?? {};
      if ((set ?? value) === replacement) Reflect.defineProperty(object, key, before);
    }
    this.#patches.length = 0;
    publish();
  }
}
