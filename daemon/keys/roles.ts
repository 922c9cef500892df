/** What a key may sign. A key that is believed in one role is not believed in another. */
export const keyRoles = Object.freeze(["rules", "receipts", "tokens", "scopes", "fallback"] as const);

export type KeyRole = (typeof keyRoles)[number];

export const isKeyRole = (value: unknown): value is KeyRole => (keyRoles as readonly unknown[]).includes(value);
