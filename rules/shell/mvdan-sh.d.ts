// The package ships no types. This is the part used here, checked against 0.10.1.
declare module "mvdan-sh" {
  export interface Parser {
    Parse(source: string, name: string): unknown;
  }
  const sh: { readonly syntax: { NewParser(...options: unknown[]): Parser } };
  export default sh;
}
