/** Splits PEM text into its blocks, line by line; null where a line is neither of a block nor empty nor a `#` comment. */
export const pemBlocks = (text: string, label: string): string[] | null => {
  const blocks: string[] = [];
  let open: string[] | null = null;
  for (const line of text.split(/\r?\n/)) {
    if (open === null) {
      if (line === `-----BEGIN ${label}-----`) open = [line];
      else if (line.trim() !== "" && !line.startsWith("#")) return null;
    } else {
      open.push(line);
      if (line === `-----END ${label}-----`) {
        blocks.push(open.join("\n"));
        open = null;
      }
    }
  }
  return open === null ? blocks : null;
};

/** What a key parser throws says less than the refusal that names the file. */
export const orNull = (read: () => Uint8Array | null): Uint8Array | null => {
  try {
    return read();
  } catch {
    return null;
  }
};
