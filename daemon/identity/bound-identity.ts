/** What a connection is bound to by the token that its hello showed. Frozen. */
export interface BoundIdentity {
  readonly principal: string;
  /** When it ends, the permitted difference of the clocks included; calls after it are refused. */
  readonly expires_ms: number;
  /** The key that signed the token. It has to be believed for as long as the connection asks. */
  readonly keyId: string;
}
