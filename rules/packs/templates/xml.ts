/** Larger ones are not put through a parser: then the signs alone decide. */
const maxParsedCharacters = 65_536;
const maxErrors = 64;

/** But for `<!ENTITY version "1.0">`, a short name for a short text: it grows nothing and reaches nowhere. */
const declares = /<!ENTITY\s(?!\s{0,64}[\w.-]{1,64}\s{1,64}(?:"[^"&%<]{0,256}"|'[^'&%<]{0,256}')\s{0,64}>)/i;
/** But for `SYSTEM "log4j.dtd"`, which lies beside the file. */
const external = /^\s{0,64}[\w:.-]{1,128}\s{1,64}SYSTEM\s(?!\s{0,64}["'][A-Za-z0-9_][\w-]{0,64}\.dtd["'])/i;
/** What SVG loads and shows. */
const drawn = /^(?:svg:)?(?:image|use|feImage|script)$/;
/** What lies below the folder of the file. */
const beside = /^[A-Za-z0-9_][\w-]{0,64}(?:[./][A-Za-z0-9_][\w-]{0,64}){0,16}$/;
const includes = /<[A-Za-z_][\w.-]{0,63}:include\b/;

/** Without one of these a text reaches nowhere: one pass, whatever its length. */
export const maybeXml = (text: string): boolean =>
  /<!DOCTYPE\s{1,64}(?!html\s{0,64}>)|<!ENTITY|:include\b|XInclude|["']file:/i.test(text);

/** A parser of XML takes no text before the first tag: a program or a page that shows XML is none. JSON may hold it. */
export const mayBeParsed = (text: string): boolean => /^\uFEFF?\s{0,1024}[<{[]/.test(text);

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
    found ||=
      drawn.test(name) && [attributes.href, attributes["xlink:href"]].some((at) => /^\s{0,8}file:/i.test(at ?? ""));
    found ||=
      /(?:^|:)include$/.test(name) &&
      (attributes.href === undefined ? attributes["xmlns:xi"] !== undefined : !beside.test(attributes.href));
  });
  try {
    parser.write(text).close();
  } catch {
    // What is not well-formed is read as far as it goes.
  }
  return found;
};
