/** How long a call of short-leases.ts is under way before nobody knows what became of it. */
export const leaseWhereClientsDie_s = 5;
