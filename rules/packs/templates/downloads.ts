/** Ends of names that a system runs when they are opened: programs, installers, scripts of shells and hosts of scripts, shortcuts. */
const programs: ReadonlySet<string> = new Set(
  "exe msi msp dll scr cpl com bat cmd ps1 psm1 vbs vbe jse wsf wsh hta lnk reg jar apk ipa app dmg pkg deb rpm appimage snap run bin elf so dylib sh bash zsh command desktop xpi crx iso img".split(
    " ",
  ),
);
const maxCharacters = 8_192;

/** Whether a text is an address that ends in a program's name, in its path or in a value of its query. */
export const downloadsProgram = (text: string): boolean => {
  const trimmed = text.trim();
  if (!/^(?:https?|ftp):\/\//i.test(trimmed)) return false;
  if (trimmed.length > maxCharacters || !URL.canParse(trimmed)) return true;
  const { pathname, searchParams } = new URL(trimmed);
  return [pathname, ...searchParams.values()].some((name) => programs.has(endOf(name)));
};

const endOf = (name: string): string =>
  name
    .slice(-64)
    .replaceAll(/%(?:00|20)|[\s.;]{1,8}$/gi, "")
    .split(".")
    .slice(1)
    .at(-1)
    ?.toLowerCase() ?? "";
