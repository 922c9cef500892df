import type { GivenProof } from "./expectations.ts";
import type { LogExpectations } from "./log-walk.ts";

/** For tests: whoever verifies was given nothing. */
export const nothingGiven: GivenProof = Object.freeze({
  expectHead: null,
  keys: [],
  keyring: null,
  checkpoints: [],
  witnesses: [],
  witnessesNeeded: null,
  maxUnsigned: null,
});

export const nothingExpected: LogExpectations = Object.freeze({
  head: null,
  kept: [],
  believed: { keys: [], witnesses: [] },
  neverSigned: "taken",
  witnesses: 0,
  maxUnsigned: null,
});

export const exportAll = Object.freeze({ from: 1, progress: () => {} });
