/** The name of the daemon's own rule set, and what its rules' names begin with. */
export const selfId = "interlock.self";
