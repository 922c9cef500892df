import { WireError, type WireErrorCode } from "../../wire/errors.ts";

/** Why a token is not taken; each is a code of an error frame (wire/errors.ts). */
export type TokenRefusal = Extract<WireErrorCode, `token_${string}`>;

/** One line; nothing of the token is in it. The hello that showed it is answered by this error. */
export class TokenRefused extends WireError {
  override readonly name = "TokenRefused";
  declare readonly code: TokenRefusal;

  constructor(code: TokenRefusal, message: string) {
    super(code, message);
  }
}
