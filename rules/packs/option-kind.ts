/**
 * What an option may be. Rule sets are bundled without a type check, so a word that only a compiler would refuse is refused here: an
 * unknown one would be taken for whatever is left after the comparisons, which may be weaker than what was meant.
 */
export interface OptionKind<Value = unknown> {
  /** For the person who writes it: `"block", "escalate" or "pass"`. Never holds what was written. */
  readonly takes: string;
  fits(value: unknown): value is Value;
}

const kind = <Value>(takes: string, fits: (value: unknown) => boolean): OptionKind<Value> =>
  Object.freeze({ takes, fits: (value: unknown): value is Value => fits(value) });

export const oneOf = <const Word extends string>(...words: readonly Word[]): OptionKind<Word> =>
  kind(
    [words.slice(0, -1), words.slice(-1)].map((some) => some.map((word) => `"${word}"`).join(", ")).join(" or "),
    (value) => words.some((word) => word === value),
  );

export const text: OptionKind<string> = kind("a text", (value) => typeof value === "string" && value !== "");

/** From 1, so that nothing is switched off by a zero. */
export const count: OptionKind<number> = kind("a whole number from 1", (value) => isWhole(value) && value >= 1);

export const port: OptionKind<number> = kind("a port", (value) => isWhole(value) && value >= 1 && value <= maxPort);

export const score: OptionKind<number> = kind(
  "a number from 0 to 1",
  (value) => typeof value === "number" && value >= 0 && value <= 1,
);

export const amount: OptionKind<number> = kind(
  "a number from 0",
  (value) => typeof value === "number" && Number.isFinite(value) && value >= 0,
);

/** As it stands between `//` and `:` in a URL; its labels are judged where the list of public suffixes is at hand. */
export const domain: OptionKind<string> = kind(
  "a domain without a scheme, port or path",
  (value) => typeof value === "string" && value !== "" && !/[/?#@:\s*]/.test(value) && URL.canParse(`http://${value}`),
);

/** `localhost:3000`, `redis`, `[::1]:5432`, or the path of a socket. */
export const host: OptionKind<string> = kind(
  "a host as a URL has it, with its port (localhost:3000), or the absolute path of a socket",
  (value) =>
    typeof value === "string" &&
    (value.startsWith("/") || (value !== "" && !/[/?#@\s]/.test(value) && URL.canParse(`http://${value}`))),
);

export const listOf = <Item>(item: OptionKind<Item>): OptionKind<readonly Item[]> =>
  kind(`a list, each ${item.takes}`, (value) => Array.isArray(value) && value.every((one) => item.fits(one)));

export const orNull = <Value>(one: OptionKind<Value>): OptionKind<Value | null> =>
  kind(`${one.takes}, or null`, (value) => value === null || one.fits(value));

type Shape = Readonly<Record<string, OptionKind>>;
type ShapeOf<S extends Shape> = { readonly [Name in keyof S]: S[Name] extends OptionKind<infer Value> ? Value : never };

/** All of `needed`, any of `further`, and nothing else. */
export const shape = <Needed extends Shape, Further extends Shape = Readonly<Record<never, OptionKind>>>(
  needed: Needed,
  further?: Further,
): OptionKind<ShapeOf<Needed> & Partial<ShapeOf<Further>>> => {
  const members: Shape = { ...further, ...needed };
  const told = Object.entries(members).map(
    ([name, { takes }]) => `${name}${Object.hasOwn(needed, name) ? "" : "?"}: ${takes}`,
  );
  return kind(
    `{ ${told.join("; ")} }`,
    (value) =>
      isObject(value) &&
      Object.keys(needed).every((name) => Object.hasOwn(value, name)) &&
      Object.entries(value).every(([name, inner]) => Object.hasOwn(members, name) && members[name]?.fits(inner)),
  );
};

export const byName = <Value>(one: OptionKind<Value>): OptionKind<Readonly<Record<string, Value>>> =>
  kind(`by name ${one.takes}`, (value) => isObject(value) && Object.values(value).every((inner) => one.fits(inner)));

const maxPort = 65_535;

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
