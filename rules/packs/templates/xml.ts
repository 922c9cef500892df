/** Larger ones are not read: a document that has a type of its own and is that large is held. */
const maxXmlCharacters = 65_536;
const maxErrors = 64;

/** Whether a text is XML that names what stands elsewhere, or entities that grow: tokens by saxes, loaded with the first DOCTYPE. */
export const reachesOut = async (text: string): Promise<boolean> => {
  if (text.length > maxXmlCharacters) return true;
  const { SaxesParser } = await import("saxes");
  let found = false;
  const parser = new SaxesParser({ xmlns: false });
  let errors = 0;
  parser.on("error", (error) => {
    // No parser of XML goes on where so much is wrong.
    if (++errors > maxErrors) throw error;
  });
  parser.on("doctype", (type) => {
    found ||= /<!ENTITY\s/i.test(type) || /^\s{0,64}[\w:.-]{1,128}\s{1,64}SYSTEM\s/i.test(type);
  });
  parser.on("opentag", ({ name, attributes }) => {
    found ||= /(?:^|:)include$/.test(name) && (attributes.href !== undefined || attributes["xmlns:xi"] !== undefined);
  });
  try {
    parser.write(text).close();
  } catch {
    // What is not well-formed is read as far as it goes.
  }
  return found;
};

/** Without one of these a text reaches nowhere. */
export const maybeXml = (text: string): boolean =>
  /<!DOCTYPE\s{1,64}(?!html\s{0,64}>)|<!ENTITY|:include\b|XInclude/i.test(text);
