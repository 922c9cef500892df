import { maxNameBytes } from "../wire/limits.ts";

/** Names of tools and arguments are few. Whoever makes them up must not fill the memory, nor keep those that count out of it. */
const maxRemembered = 4_096;

/** What `judge` says of a name, asked once for each. Null and false are answers; undefined is none. */
export const remembered = <Answer extends NonNullable<unknown> | null>(
  judge: (name: string) => Answer,
): ((name: string) => Answer) => {
  const known = new Map<string, Answer>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const answer = judge(name);
    if (known.size >= maxRemembered) known.clear();
    if (name.length <= maxNameBytes) known.set(name, answer);
    return answer;
  };
};
