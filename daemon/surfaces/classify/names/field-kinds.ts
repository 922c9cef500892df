import { secretName } from "../../../../rules/packs/secrets/names.ts";
import { holdsName, nameWords, wordSet } from "./words.ts";

/** What a parameter or a field of a result is for, by the words of its name. One may be several. */
export type FieldKind =
  | "address"
  | "command"
  | "delegation"
  | "harvest"
  | "money"
  | "path"
  | "personal"
  | "privilege"
  | "recipient"
  | "risk"
  | "safety"
  | "secret"
  | "sensitive"
  | "sink";

const kinds: readonly (readonly [FieldKind, ReadonlySet<string>])[] = [
  [
    "address",
    wordSet("url urls uri endpoint host hostname domain domains server base_url target destination origin proxy ip"),
  ],
  [
    "command",
    wordSet(
      "command commands cmd shell exec eval script code sql statement expression raw_query shell_cmd bash powershell javascript program args env",
    ),
  ],
  [
    "delegation",
    wordSet(
      "on_behalf_of behalf_of impersonate impersonation impersonated run_as runas act_as acting_as as_user assume_role sudo delegate delegated sudo_user effective_user",
    ),
  ],
  [
    "harvest",
    wordSet(
      `system_prompt conversation_history chat_history conversation chat_log message_history session_context session_history full_context transcript chain_of_thought model_thoughts
      previous_messages previous_tool_calls prior_messages tools_list available_tools tool_history sidenote side_note env_vars environment_variables environment_dump user_messages open_files workspace_contents
      file_dump context_dump conversation_context chat_context conversation_summary all_messages model_reasoning internal_reasoning`,
    ),
  ],
  [
    "money",
    wordSet(
      "amount amounts price total sum payment transfer refund withdrawal budget cost quantity value_usd usd eur cents limit_usd credit debit balance fee discount payout spend",
    ),
  ],
  [
    "path",
    wordSet("path paths file files filename filepath dir directory directories folder root cwd workspace mount volume"),
  ],
  [
    "personal",
    wordSet(
      "email emails phone phone_number mobile telephone address dob birthday date_of_birth birth_date full_name first_name last_name home_address postal_address gender nationality location",
    ),
  ],
  [
    "privilege",
    wordSet(
      "role roles permission permissions scope scopes access access_level privilege privileges acl admin is_admin visibility owner policy grant tier environment env stage namespace tenant tenants cluster profile account_type user_type mode",
    ),
  ],
  [
    "recipient",
    wordSet(
      "to cc account accounts iban payee beneficiary to_account guests guest attendees invitees participants subscribers followers reviewers recipient recipients email emails mail phone chat channel channel_id user_id users addressee mailbox phone_number",
    ),
  ],
  [
    "risk",
    wordSet(
      "force forced recursive overwrite public insecure unsafe skip_verification skip_checks skip_confirmation no_verify allow_all allow_any allow_insecure disable ignore_errors auto_approve auto_confirm bypass share share_publicly is_public send_immediately include_secrets include_hidden include_sensitive follow_symlinks privileged delete_source delete_after purge cascade include_credentials include_env debug verbose_secrets unrestricted dangerous dangerously all_users notify_all",
    ),
  ],
  [
    "safety",
    wordSet(
      "confirm confirmed confirmation dry_run dryrun preview approve approved approval require_approval require_confirmation requires_confirmation read_only readonly safe safe_mode sandbox sandboxed verify verify_ssl verify_tls tls_verify validate reason justification two_factor human_approved ack acknowledged consent simulate what_if redact mask restrict restricted",
    ),
  ],
  [
    "sensitive",
    wordSet(
      `ssn social_security social_security_number passport passport_number national_id tax_id driver_license drivers_license diagnosis diagnoses patient patient_id medical medical_record health_record prescription phi
      credit_card card_number cardnumber cvv cvc iban bank_account account_number routing_number sort_code salary biometric pin otp mfa_code one_time_code recovery_code seed_phrase mnemonic cookie cookies session_cookie`,
    ),
  ],
  [
    "sink",
    wordSet(
      `bcc blind_copy callback callback_url callbackurl webhook webhook_url webhook_uri webhooks notify_url notification_url forward forward_to forwarding relay relay_to mirror mirror_to sync_to sync_url sync_target
      upload_url upload_to export_to export_url copy_to send_copy send_to report_to report_url post_to push_to push_url publish_to telemetry telemetry_url analytics_url log_url log_to logging_endpoint archive_to
      backup_to backup_url destination_url exfil collector collector_url ingest_url return_url redirect_url redirect_uri reply_to sink notify_email cc_email audit_email copy_recipient external_recipient remote_url output_url result_url s3_bucket`,
    ),
  ],
];

/** Files and stores of secrets, wherever they stand in a name: `content_from_reading_ssh_id_rsa`. */
const secretFiles = wordSet(
  "id_rsa id_ed25519 ssh_id ssh_key ssh_keys private_key private_keys dotenv env_file dot_env aws_credentials kubeconfig etc_passwd etc_shadow keychain npmrc netrc api_keys api_tokens access_tokens env_contents",
);

const known = new Map<string, ReadonlySet<FieldKind>>();
const mostKnown = 8_192;

export const fieldKinds = (name: string): ReadonlySet<FieldKind> => {
  const before = known.get(name);
  if (before !== undefined) return before;
  const words = nameWords(name);
  const found = new Set(kinds.flatMap(([kind, runs]) => (holdsName(words, runs) ? [kind] : [])));
  if (secretName(name) !== null || holdsName(words, secretFiles)) found.add("secret");
  if (known.size >= mostKnown) known.clear();
  known.set(name, found);
  return found;
};

/** Values by which somebody may do more than before. */
const powers = wordSet(
  `admin administrator root superuser super_admin owner sudo system all any everyone anyone public external unrestricted full full_access write delete destroy drop purge wipe truncate exec execute
  shell bash raw unsafe force production prod live privileged elevated impersonate god bypass disabled none off internet world anonymous`,
);

/** Does a value of an enumeration let a call do more: a role, an environment, a deed? */
export const isPowerful = (value: string): boolean => holdsName(nameWords(value), powers);
