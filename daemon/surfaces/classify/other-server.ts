/** The names of another server's tools, as the client shows them to its model beside these. */
export interface OtherServer {
  readonly server: string;
  readonly tools: readonly string[];
}
