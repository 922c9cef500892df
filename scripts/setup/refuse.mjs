/** Ends the set-up with one line that says what is wrong and what to do, and exit code 2. */
export const refuse = (words) => {
  process.stderr.write(`setup: ${words}\n`);
  process.exit(2);
};
