import { allow, defineRules } from "interlock/rules";

/** Every call is judged, and every call may run. */
export default defineRules({
  id: "allow-all",
  version: 1,
  rules: [
    {
      id: "allow-all",
      actions: ["*"],
      phase: "call",
      evaluate: () => allow(),
      examples: [{ event: { action: "fs.readFile", args: { path: "/etc/hostname" } }, expect: "allow" }],
    },
  ],
});
