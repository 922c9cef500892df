/** The version this daemon tells in its hello; a test holds it equal to package.json. */
export const daemonVersion = "1.0.0";
