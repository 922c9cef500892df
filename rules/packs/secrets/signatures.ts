import { type Kind, likely, sure, suspected } from "./kind.ts";

/** What a URL carries so that whoever has it may fetch: signatures, and tokens by name. */
export const signatures: readonly Kind[] = [
  {
    // https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
    class: "s3_presigned_signature",
    leads: ["X-Amz-Signature=", "X-Goog-Signature=", "X-Amz-Security-Token="],
    pattern: /X-(?:Amz-Signature|Goog-Signature|Amz-Security-Token)=[A-Za-z0-9%+/=_-]{16,4000}/y,
    confidence: sure,
  },
  {
    class: "s3_presigned_signature",
    leads: ["&Signature=", "?Signature="],
    pattern: /[?&]Signature=[A-Za-z0-9%+/=_~-]{20,800}/y,
    confidence: likely,
  },
  {
    // https://learn.microsoft.com/rest/api/storageservices/create-service-sas: 32 bytes in base64.
    class: "azure_sas_signature",
    leads: ["&sig=", "?sig="],
    pattern: /[?&]sig=[A-Za-z0-9%+/_-]{40,100}(?:%3D|=){0,2}/iy,
    confidence: likely,
  },
  {
    class: "bearer_token",
    leads: ["Bearer ", "bearer ", "BEARER "],
    pattern: /(?<![A-Za-z0-9])bearer [A-Za-z0-9._~+/=-]{16,4000}/iy,
    confidence: suspected,
    // `Bearer authentication_scheme`: words have no digits.
    accepts: (secret) => /[0-9]/.test(secret.slice(7)) && !isPlaceholderToken(secret.slice(7)),
  },
  {
    class: "basic_authorization",
    leads: ["Basic "],
    pattern: /(?<![A-Za-z0-9])Basic [A-Za-z0-9+/]{8,800}={0,2}(?![A-Za-z0-9+/=])/y,
    confidence: likely,
    // https://www.rfc-editor.org/rfc/rfc7617: a user and a password with a colon between them.
    accepts: (secret) =>
      /^[\x20-\x7e]{0,300}:[\x20-\x7e]{1,300}$/.test(Buffer.from(secret.slice(6), "base64").toString("latin1")),
  },
];

const isPlaceholderToken = (token: string): boolean => /^(?:x+|your|my|token|example|placeholder)/i.test(token);
