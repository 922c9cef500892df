import { first, second, when } from "./machine.ts";
import { has, type Program, type Programs } from "./program.ts";

const store = (is: Parameters<typeof when>[1], grammar: NonNullable<Program["grammar"]> = {}): Program =>
  when("shows_credentials", is, grammar);

const two = (what: RegExp, how: RegExp): Program => store((call) => what.test(first(call)) && how.test(second(call)));

/** Programs that keep keys and passwords, and print them when they are asked. A token for one's own request is not meant: `gh auth token`. */
export const credentialPrograms: Programs = {
  gpg: store((call) => call.options.some(({ name }) => /^export-secret-(?:sub)?keys?$/.test(name))),
  gpg2: store((call) => call.options.some(({ name }) => /^export-secret-(?:sub)?keys?$/.test(name))),
  security: store(
    (call) =>
      /^(?:dump-keychain|export)$/.test(first(call)) ||
      (/^find-(?:generic|internet)-password$/.test(first(call)) &&
        call.options.some(({ name }) => /^[wg]$/.test(name))),
  ),
  "secret-tool": store((call) => /^(?:lookup|search)$/.test(first(call))),
  pass: store((call) => !/^(?:|ls|list|find|search|init|insert|generate|git|help|version|edit)$/.test(first(call))),
  op: store((call) => first(call) === "read" || (/^(?:item|document)$/.test(first(call)) && second(call) === "get")),
  bw: store(
    (call) =>
      first(call) === "export" || (first(call) === "get" && /^(?:password|item|totp|notes)$/.test(second(call))),
  ),
  lpass: store((call) => first(call) === "export" || (first(call) === "show" && !has(call, "name", "id"))),
  vault: two(/^(?:kv|read)$/, /^(?:get|secret\/.*)$/),
  aws: store(
    (call) =>
      (first(call) === "secretsmanager" && /^(?:batch-)?get-secret-value$/.test(second(call))) ||
      (first(call) === "ssm" && /^get-parameter/.test(second(call)) && has(call, "with-decryption")) ||
      (first(call) === "configure" && second(call) === "export-credentials"),
    { long: ["profile", "region", "output", "query", "secret-id", "name"] },
  ),
  gcloud: store(
    (call) => first(call) === "secrets" && second(call) === "versions" && call.operands[2]?.text === "access",
  ),
  az: store((call) => first(call) === "keyvault" && second(call) === "secret" && call.operands[2]?.text === "show"),
};
