/** What a resume is recorded as where there is no call to record. No rule's action begins like this by chance. */
export const resumeAction = "interlock.resume";
