import { isMixed, type Kind, likely, sure } from "./kind.ts";

/** Keys that move money, besides Stripe's and Square's, as the services document them. */
export const paymentIssuers: readonly Kind[] = [
  {
    class: "braintree_token",
    leads: ["access_token$"],
    pattern: /access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}/y,
    confidence: sure,
  },
  {
    // https://developer.squareup.com/docs/build-basics/access-tokens: base64 for URLs.
    class: "square_token",
    leads: ["EAAA"],
    pattern: /(?<![A-Za-z0-9+/=_-])EAAA[\w-]{60}(?![A-Za-z0-9+/=_-])/y,
    confidence: likely,
    accepts: isMixed,
  },
  {
    class: "razorpay_key",
    leads: ["rzp_live_", "rzp_test_"],
    pattern: /rzp_(?:live|test)_[A-Za-z0-9]{14,24}(?!\w)/y,
    confidence: sure,
  },
  {
    class: "flutterwave_key",
    leads: ["FLWSECK"],
    pattern: /FLWSECK(?:_TEST)?-[0-9a-zA-Z]{12,40}-X/y,
    confidence: sure,
  },
  {
    class: "gocardless_token",
    leads: ["live_"],
    pattern: /(?<![A-Za-z0-9_])live_[\w-]{40}(?![\w-])/y,
    confidence: likely,
    accepts: isMixed,
  },
  {
    class: "plaid_token",
    leads: ["access-production-", "access-development-", "access-sandbox-"],
    pattern: /access-(?:production|development|sandbox)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/y,
    confidence: sure,
  },
  {
    class: "shippo_token",
    leads: ["shippo_live_", "shippo_test_"],
    pattern: /shippo_(?:live|test)_[0-9a-f]{40}/y,
    confidence: sure,
  },
  {
    class: "duffel_token",
    leads: ["duffel_live_", "duffel_test_"],
    pattern: /duffel_(?:live|test)_[\w-]{40,50}/y,
    confidence: sure,
  },
  {
    class: "adyen_key",
    leads: ["AQE"],
    pattern: /(?<![A-Za-z0-9+/=])AQE[A-Za-z0-9]{30,50}-[A-Za-z0-9+/=]{40,60}-[\w&,;:!?.<>^{}()[\]*@#%$+/=~-]{10,24}/y,
    confidence: likely,
    accepts: isMixed,
  },
];
