/** Where the version of a document that was served last is noted, beside those of rule sets: no rule set's id has a colon. */
export const servedName = (documentId: string): string => `scopes:${documentId}`;
