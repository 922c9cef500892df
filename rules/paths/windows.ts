/** Names that are devices in every folder (Microsoft, "Naming Files, Paths, and Namespaces"); superscript digits count. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])$/i;

/**
 * Is this a path that only Windows reads as one: a drive, `\\server\share`, `\\?\`, a stream, a short name, a device? A guard on
 * another system cannot say where it leads.
 */
export const isWindowsForm = (text: string): boolean => {
  if (
    /^[A-Za-z]:(?:[\\/]|$)/.test(text) ||
    text.startsWith("\\\\") ||
    text.startsWith("//?/") ||
    text.startsWith("//./")
  )
    return true;
  if (text.includes("::$")) return true;
  return isDevice(text);
};

/** `CON`, `dir/NUL`, `\\.\COM1`: opening it can hang a tool, and it is no file. `aux.c` is one elsewhere, and passes. */
export const isDevice = (text: string): boolean => device.test(lastPart(text));

const lastPart = (text: string): string => text.slice(Math.max(text.lastIndexOf("/"), text.lastIndexOf("\\")) + 1);

/** `PROGRA~1`, `SSH~1`, `ID_RSA~1.PUB`: a short name, which stands for any name that begins like it. Null where it is none. */
export const shortNameAsGlob = (part: string): string | null => {
  const found = /^([^~*?[\]]{1,6})~\d{1,6}(?:\.([^~*?[\]]{0,3}))?$/.exec(part);
  return found === null ? null : `${found[1]}*`;
};
