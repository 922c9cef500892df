/** What the settings say of who may act. */
export interface IdentityRules {
  /** `token`: nobody acts without a token, but as the configured principal. */
  readonly principals: "claimed" | "token";
  /** Who acts where nothing says who; null: nobody is configured. */
  readonly principal: string | null;
  /** What a connection without a token may name: anybody, or the configured principal and those below it. */
  readonly claims: "any" | "below";
}
