/** The name of whatever was thrown. Its message is left out: messages quote arguments. */
export const errorName = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" ? `${error.name} ${code}` : error.name;
};
