/** Where an attacker's sentence is put in a mail. */
export const positions = ["start", "middle", "end"] as const;
export type Position = (typeof positions)[number];

/** A mail with a sentence of somebody else in it, and where that stands. */
export interface Hidden {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A line of its own at the start or the end; in the middle between two sentences, with line breaks or with spaces. */
export const hide = (attack: string, mail: string, position: Position, join: "line" | "space" = "line"): Hidden => {
  const gap = join === "line" ? "\n" : " ";
  const at = position === "start" ? 0 : position === "end" ? mail.length : middleOf(mail);
  const before = mail.slice(0, at);
  const text = [before.trim() === "" ? "" : before, attack, mail.slice(at)].filter((part) => part !== "").join(gap);
  const start = text.indexOf(attack, at);
  return { text, start, end: start + attack.length };
};

/** The end of the sentence or line that is nearest to the middle. */
const middleOf = (mail: string): number => {
  const ends = [...mail.matchAll(/[.!?](?=\s|[A-Z])|\n/g)].map((match) => match.index + (match[0] === "\n" ? 0 : 1));
  const half = mail.length / 2;
  return ends.reduce((best, at) => (Math.abs(at - half) < Math.abs(best - half) ? at : best), ends[0] ?? mail.length);
};
