/** A suite that could not be made ready or run: nothing is known about it. */
export class SuiteRefusal extends Error {
  override readonly name = "SuiteRefusal";
}
