/** The server answered, and not with MCP. Its words are not passed on. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  /** The status, as an error's code is shown. */
  readonly code: string;
  readonly status: number;

  constructor(status: number) {
    super(`the server answered with HTTP ${status}`);
    this.status = status;
    this.code = `${status}`;
  }
}
