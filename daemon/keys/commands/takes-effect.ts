/** Said by each command that changes a keyring: what is trusted or refused from now on, a daemon that runs does not know yet. */
export const afterReload = "a running daemon goes on until it reloads: interlock rules reload";
