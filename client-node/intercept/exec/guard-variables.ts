/** What a preload reads, beside `NODE_OPTIONS`, which names the preload. */
export const guardVariables = [
  "INTERLOCK_SOCKET",
  "INTERLOCK_PRINCIPAL",
  "INTERLOCK_TIMEOUT",
  "INTERLOCK_SCOPE",
  "INTERLOCK_TOKEN_FILE",
] as const;
