/** What settling needs that is neither in the plan nor in the store. */
export interface SettleDeps {
  /** Seals a text for its place: a box that is moved to another place does not open. */
  readonly seal: (place: string, text: string) => Uint8Array;
  /** The text; null where the box is not one that was sealed for this place. */
  readonly open: (place: string, box: Uint8Array) => string | null;
  /** Is everything stopped, as this daemon knows it at this moment? */
  readonly isStopped: () => boolean;
  readonly newApprovalId: () => string;
}
