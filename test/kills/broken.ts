export class InvariantBroken extends Error {
  override readonly name = "InvariantBroken";
}

export const demand = (holds: boolean, what: string): void => {
  if (!holds) throw new InvariantBroken(what);
};
