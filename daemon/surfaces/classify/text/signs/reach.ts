import { wordSet } from "../../names/words.ts";
import type { TextContext } from "../context.ts";
import type { Sentence } from "../sentence.ts";
import { type Sign, sign } from "../sign.ts";

/** What may be named, run or reached without a bound. */
const boundless = wordSet(
  `any_command any_shell any_shell_command shell_command shell_commands arbitrary_command arbitrary_commands arbitrary_code arbitrary_sql arbitrary_shell any_code any_sql raw_sql
  any_file_on any_file_of any_path arbitrary_file arbitrary_files arbitrary_path arbitrary_paths any_url arbitrary_url arbitrary_urls any_host any_recipient any_account any_tenant 
  every_account any_directory arbitrary_directory entire_filesystem whole_filesystem full_filesystem entire_file_system whole_disk whole_database entire_database full_database complete_database any_iban any_bank_account all_permissions full_permissions all_privileges full_privileges full_access unrestricted_access unlimited_access`,
);
const rights = wordSet(
  `administrator_rights admin_rights administrator_privileges admin_privileges root_privileges root_access elevated_privileges elevated_rights elevated_permissions superuser_rights as_root as_administrator
  as_admin with_sudo service_account admin_access write_access full_control full_permissions`,
);
/** "must have write access": of whoever calls. */
const demands = wordSet("have has need needs require requires lacks lacking without");
const bounds = wordSet(
  "workspace sandbox allowed directory directories folder root project tenant organisation organization restrictions limits limit scope boundary boundaries",
);

/** More may be done than before, by what the text says. */
export const reachSigns = (sentence: Sentence, context: TextContext): readonly Sign[] => {
  const signs: Sign[] = [];
  if (context.isNewItem) return signs;
  for (const { at, to, run } of sentence.runs(boundless)) {
    if (!sentence.isNew(at, to) || sentence.isNegated(at) || isKnown(run, context)) continue;
    signs.push(
      sign(
        "effect_escalated",
        context.isRunner ? "moderate" : "high",
        "new text says that the tool reaches further than before",
      ),
    );
  }
  for (const { at, to, run } of sentence.runs(rights)) {
    if (!sentence.isNew(at, to) || sentence.isNegated(at) || isKnown(run, context) || sentence.has(demands, at - 4, at))
      continue;
    signs.push(sign("identity_mode_escalated", "high", "new text says that the tool has other rights than before"));
  }
  for (const verb of sentence.verbs("call")) {
    const any = sentence.find(anything, verb + 1, verb + 3);
    if (any >= 0 && sentence.has(programs, any + 1, any + 4) && sentence.isNew(any, any + 3) && !context.isRunner)
      signs.push(sign("effect_escalated", "high", "new text says that the tool runs what it is given"));
  }
  const outside = sentence.find(beyond);
  if (
    outside >= 0 &&
    sentence.isNew(outside) &&
    sentence.has(bounds, outside, outside + 6) &&
    !isDenied(sentence, outside)
  )
    signs.push(sign("effect_escalated", "high", "new text says that the tool reaches beyond its bounds"));
  return signs;
};

const beyond = wordSet("outside beyond");
const anything = wordSet("any arbitrary all every");
const programs = wordSet(
  "code command commands script scripts macro macros program programs binary binaries executable executables sql statement statements expression expressions payload payloads",
);

const isKnown = (run: string, { known }: TextContext): boolean => run.split("_").every((word) => known.words.has(word));

const denials = wordSet(
  "not cannot can't never no refuse refused reject rejected rejects denied deny blocked fails fail error prevented forbidden disallowed without must",
);
const isDenied = (sentence: Sentence, at: number): boolean =>
  sentence.has(denials, 0, at) || sentence.has(denials, at, at + 10);
