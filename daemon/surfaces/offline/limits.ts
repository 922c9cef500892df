/** A saved listing, or an exported baseline. */
export const maxListingBytes = 32 * 1024 * 1024;
