// The package ships no types. These are the parts used here, checked against 0.10.1.
declare module "mvdan-sh" {
  interface Syntax {
    NewParser(...options: unknown[]): { Parse(source: string, name: string): import("./tree.ts").ShellNode };
    NodeType(node: import("./tree.ts").ShellNode): string;
    /** Calls back with each node before its children, and with null after them. */
    Walk(node: import("./tree.ts").ShellNode, visit: (node: import("./tree.ts").ShellNode | null) => boolean): void;
  }
  const sh: { readonly syntax: Syntax };
  export default sh;
}
