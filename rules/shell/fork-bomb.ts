import type { CommandNode, ShellNode } from "./tree.ts";
import { operator } from "./tree.ts";

type FunctionNode = Extract<CommandNode, { readonly type: "FuncDecl" }>;

/** Under any name: does a function start itself twice at once, by a pipe or in the background? `:(){ :|:& };:` */
export const multiplies = ({ Name, Body }: FunctionNode): boolean => {
  let selfCalls = 0;
  let atOnce = false;
  const visit = (node: ShellNode): void => {
    if (node.type === "CallExpr") {
      const [first] = node.Args[0]?.Parts ?? [];
      if (first?.type === "Lit" && first.Value === Name.Value) selfCalls++;
    }
    if (node.type === "BinaryCmd" && (node.Op === operator.pipe || node.Op === operator.pipeAll)) atOnce = true;
    if (node.type === "Stmt" && node.Background) atOnce = true;
    for (const value of Object.values(node) as unknown[])
      for (const child of Array.isArray(value) ? value : [value])
        if (typeof child === "object" && child !== null) visit(child as ShellNode);
  };
  visit(Body);
  return atOnce && selfCalls >= 2;
};
