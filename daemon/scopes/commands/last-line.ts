/** How long a document stands, for a line. */
export const lastLine = (not_after: string | null): string =>
  not_after === null ? "without end" : `until ${not_after}`;

export const isOver = (not_after: string | null, now_ms: number): boolean =>
  not_after !== null && Date.parse(not_after) <= now_ms;
