/** Larger ones are not put through a parser: then the signs alone decide. */
const maxParsedCharacters = 65_536;
const maxErrors = 64;

const declares = /<!ENTITY\s/i;
const external = /^\s{0,64}[\w:.-]{1,128}\s{1,64}SYSTEM\s/i;
const includes = /<[A-Za-z_][\w.-]{0,63}:include\b/;

/** Without one of these a text reaches nowhere: one pass, whatever its length. */
export const maybeXml = (text: string): boolean =>
  /<!DOCTYPE\s{1,64}(?!html\s{0,64}>)|<!ENTITY|:include\b|XInclude/i.test(text);

/**
 * Whether a text is XML that names what stands elsewhere, or entities that grow. Tokens by saxes, which is loaded with the first
 * text that could be one. A large text is taken by its signs: entities, a type of document that stands elsewhere, an inclusion.
 */
export const reachesOut = (text: string): Promise<boolean> | boolean =>
  text.length > maxParsedCharacters ? hasSigns(text) : parsed(text);

const hasSigns = (text: string): boolean => {
  if (declares.test(text) || (includes.test(text) && text.includes("XInclude"))) return true;
  const type = /<!DOCTYPE(?=\s)/i.exec(text);
  return type !== null && external.test(text.slice(type.index + 9, type.index + 512));
};

const parsed = async (text: string): Promise<boolean> => {
  const { SaxesParser } = await import("saxes");
  let found = false;
  const parser = new SaxesParser({ xmlns: false });
  let errors = 0;
  parser.on("error", (error) => {
    // No parser of XML goes on where so much is wrong.
    if (++errors > maxErrors) throw error;
  });
  parser.on("doctype", (type) => {
    found ||= declares.test(type) || external.test(type);
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
