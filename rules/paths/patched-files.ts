/** More files than this in one patch are not told apart. */
const maxFiles = 256;
const maxCharacters = 1_048_576;

const header =
  /^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |\+\+\+ (?:b\/)?|--- (?:a\/)?|rename (?:from|to) |copy to )([^\t\r\n]{1,4096})/gm;

/**
 * The files that a patch names: headers of a unified diff, and of the form that `apply_patch` takes. Null where there are more than are
 * told apart. A text that is no patch names none.
 */
export const patchedFiles = (text: string): readonly string[] | null => {
  if (!/^(?:\*\*\* |\+\+\+ |--- |diff --git )/m.test(text)) return [];
  if (text.length > maxCharacters) return null;
  const found = new Set<string>();
  for (const [, path] of text.matchAll(header)) {
    if (path !== undefined && path !== "/dev/null") found.add(path.trimEnd());
    if (found.size > maxFiles) return null;
  }
  return [...found];
};

/** Arguments that hold a patch. */
export const isPatchName = (name: string): boolean =>
  /^(?:patch|diff|input|unified_?diff|patch_?text|changes)$/i.test(name);
