import { wordSet } from "../names/words.ts";

/**
 * The words by which a definition says what is to be done with what, each as a whole word. Forms are made of the verbs, so that "forwards",
 * "forwarded" and "forwarding" are one.
 */
const forms = (list: string): ReadonlySet<string> => {
  const made = new Set<string>();
  for (const verb of wordSet(list)) {
    const stem = verb.endsWith("e") ? verb.slice(0, -1) : /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}i` : verb;
    const twice = /[^aeiou][aeiou][bdgklmnprt]$/.test(verb) ? verb + verb.at(-1)! : stem;
    for (const form of [
      ...[verb, `${verb}s`, `${verb}es`, `${stem}es`, `${stem}ed`, `${verb}ing`, `${stem.replace(/i$/, "y")}ing`],
      ...[`${twice}ed`, `${twice}ing`],
    ])
      made.add(form);
  }
  return made;
};

const both = (one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> => new Set([...one, ...other]);

/** Something leaves. */
export const sendVerbs = both(
  forms(
    "send post upload forward relay transmit submit bcc cc sync synchronize synchronise mirror export email mail deliver publish replicate exfiltrate dispatch beacon broadcast redirect stream push duplicate tunnel leak smuggle",
  ),
  wordSet("sent"),
);
/** Verbs that say that something leaves only where they also say to where. */
export const weakSendVerbs = both(
  forms("copy back backup archive share report save store log write record notify ping attach ship hand route"),
  wordSet("written shared"),
);
/** Something is put into an argument, an answer or a file. */
export const putVerbs = both(
  forms(
    "include pass put insert provide append attach embed supply paste prepend encode concatenate serialize dump copy quote repeat reproduce place prefix suffix precede preface attach enclose bundle transcribe",
  ),
  wordSet("contain contains containing"),
);
export const readVerbs = both(
  forms(
    "read open load access collect gather fetch retrieve get extract list obtain inspect grab locate find cat look scan harvest query check",
  ),
  wordSet("found got"),
);
export const callVerbs = both(
  forms("call use invoke run execute trigger launch chain query consult request perform"),
  wordSet("ran"),
);

export const negations = wordSet(
  "not don't dont never no without avoid cannot can't forbidden prohibited must-not shouldn't mustn't won't doesn't needn't neither nor refrain doesnt isn't instead",
);
/** Behind these a negation says the opposite: "do not forget to include". */
export const doubled = wordSet(
  "forget fail skip omit proceed continue hesitate neglect refuse stop only until unless before",
);

export const tellVerbs = both(
  forms(
    "talk speak refer tell mention inform reveal notify show disclose report display alert say explain expose surface acknowledge discuss describe warn ask prompt print output narrate announce state share communicate",
  ),
  wordSet("shown told said seen visible known written"),
);
export const askVerbs = forms("ask confirm prompt consult verify approve check notify inform tell warn");
export const readers = wordSet(
  "user users user's human humans person people anyone anybody them operator customer him her owner reviewer administrator client",
);
export const secretly = wordSet(
  "silently secretly quietly covertly discreetly invisibly stealthily unnoticed surreptitiously",
);
export const keepVerbs = forms("keep remain stay treat consider");
export const hiddenWords = wordSet(
  "hidden secret private confidential internal invisible undisclosed silent unmentioned yourself",
);
export const consentWords = wordSet(
  "confirmation consent approval permission asking confirming prompting telling notifying informing review authorization",
);
export const everyWords = wordSet(
  "always must first before after prior every each whenever required mandatory immediately automatically need shall important critical additionally then",
);
export const lastingRuns = wordSet(
  "from_now_on for_all_future in_all_future all_future_responses all_future_requests all_subsequent_requests every_subsequent rest_of_the_conversation rest_of_the_session remainder_of_the_session rest_of_this_conversation  for_every_future in_every_response in_every_reply",
);
export const overridingRuns = wordSet(
  "ignore_previous ignore_all ignore_any ignore_the ignore_other ignore_your ignore_prior ignore_earlier disregard_previous disregard_all disregard_any disregard_the disregard_your disregard_prior override_any override_all override_the override_your override_previous overrides_any overrides_all overrides_previous supersedes_any supersedes_all supersede_any takes_precedence take_precedence bypass_the bypass_any bypass_all auto_approve auto-approve new_instructions developer_mode god_mode jailbreak without_question unrestricted_mode no_restrictions",
);
export const promoteVerbs = forms("recommend promote advertise praise endorse favor favour");

/** What opens other doors, as runs of words. */
export const secretNouns = wordSet(
  `ssh_key ssh_keys private_key private_keys api_key api_keys api_token api_tokens access_token access_tokens access_key access_keys auth_token auth_tokens bearer_token
  bearer_tokens session_token session_tokens session_cookie session_cookies refresh_token refresh_tokens oauth_token oauth_tokens credential credentials password passwords passphrase
  passphrases secret_key secret_keys secrets env_var env_vars env_variables environment_variable environment_variables env_file env_files .env dotenv cookies keychain keyring seed_phrase
  recovery_phrase mnemonic wallet_key recovery_codes one-time_code one-time_codes otp_code id_rsa id_ed25519 kubeconfig browser_history shell_history bash_history
  service_account_key connection_string connection_strings database_url encryption_key encryption_keys signing_key auth_header authorization_header ssn social_security
  credit_card card_number card_numbers cvv bank_account passport_number mcp.json client_secret aws_keys aws_credentials login_details`,
);
/** What the model knows from elsewhere in its session. */
export const sessionNouns = wordSet(
  `conversation_history chat_history chat_log chat_logs chat_transcript conversation_transcript conversation_log message_history conversation_text conversation_messages full_conversation entire_conversation
  whole_conversation complete_conversation conversation_so_far conversation_context full_transcript session_transcript session_history system_prompt system_prompts system_message
  system_instructions previous_messages prior_messages earlier_messages previous_conversation whole_chat entire_chat full_chat previous_tool prior_tool previous_results prior_results
  other_tools'_results tool_call_results previous_responses previous_outputs full_context entire_context
  complete_context chain_of_thought chain-of-thought internal_reasoning available_tools list_of_tools tool_list tool_definitions open_files workspace_files
  other_servers other_tools source_code_of user's_messages all_preceding_messages initial_instructions`,
);
/** Whatever a tool works on: on its way out it is somebody's. */
export const dataNouns = wordSet(
  "content contents result results response responses output outputs data input inputs file files document documents record records query queries message messages conversation text history customer email emails argument arguments parameters payload body everything details information code invoice invoices transaction transactions copy copies it them prompt prompts request requests report reports log logs rows attachment attachments",
);
/** Somewhere that is not here. */
export const outsideNouns = wordSet(
  "external third-party third-parties remote partner partners vendor vendors outsiders affiliates endpoint server service collector analytics telemetry archive bucket webhook mailbox inbox slack discord telegram offsite off-site mirror host url address cloud s3 pastebin gist backend outside public monitoring audit compliance",
);
export const sinkRuns = wordSet(
  "bcc blind_copy blind-copy blind_carbon carbon_copy hidden_copy hidden_recipient secret_recipient extra_recipient additional_recipient second_recipient secret_copy silent_copy copy_of_every copy_of_each copy_of_all copy_of_any third_party_server external_server external_endpoint external_service remote_server remote_endpoint",
);
export const overOthers = wordSet(
  "other_tools any_other_tool all_other_tools any_other_search any_other_file any_other_web any_other_mail any_other_database any_other_code other_search_tools other_file_tools other_mcp_tools alternative_tools every_other_tool no_other_tool no_other_tools other_servers any_other_tools other_tool another_tool any_other_server other_mcp",
);
/** What runs, in a text that is for reading. */
export const shellWords = wordSet(
  "curl wget bash sh zsh powershell rm chmod sudo nc ncat eval pip npm npx base64 scp certutil osascript crontab invoke-webrequest iwr iex",
);

export const exampleWords = wordSet("example examples e.g eg like sample such instance i.e placeholder");
