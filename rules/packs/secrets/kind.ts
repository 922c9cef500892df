/** A kind of secret that can be told by how it begins. */
export interface Kind {
  readonly class: string;
  /** One of these stands in every such secret, and seldom in anything else. */
  readonly leads: readonly string[];
  /** Sticky, from the lead on; every part of it is bounded. */
  readonly pattern: RegExp;
  /** Characters before the lead that belong to it. */
  readonly before?: number;
  readonly confidence: number;
  /** What else must be true of the text that was matched. */
  readonly accepts?: (secret: string) => boolean;
}

/** An issuer's own prefix: nothing else looks like it. */
export const sure = 0.97;
/** A shape with a prefix that others may use. */
export const likely = 0.9;
/** It has the form, and something beside it says so. */
export const suspected = 0.75;

export const hasDigit = (secret: string): boolean => /[0-9]/.test(secret);

/** Letters of both cases and digits, as random tokens have and names have not. */
export const isMixed = (secret: string): boolean =>
  /[0-9]/.test(secret) && /[a-z]/.test(secret) && /[A-Z]/.test(secret);
