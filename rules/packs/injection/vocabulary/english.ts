import type { Vocabulary } from "./concept.ts";

export const english: Vocabulary = {
  override: "ignores disregards forgets ignore ignoring disregard disregarding forget forgetting neglect unlearn",
  setaside:
    "bypass bypassing override overriding overrule skip skipping discard dismiss drop cancel abandon circumvent violate nullify omit suspend scrap disabled suspended lifted revoked deactivated disable disobey evade break",
  prior:
    "previous previously prior above earlier preceding foregoing former past original originally initial existing before preexisting aforementioned",
  quant: "all any every each your whatever these those",
  rules:
    "instruction instructions rule rules direction directions guideline guidelines prompt prompts command commands directive directives context constraint constraints policy policies order orders guardrail guardrails restriction restrictions training programming safeguard safeguards guidance protocols limitations instrucitons instuctions",
  instruct: "instruction instructions directive directives",
  everything: "everything anything all whatever",
  words: "words text sentence conversation verbatim",
  told: "told received gave gives said given learned learnt instructed taught asked know",
  reveal:
    "summarizing summarising summarise reveal revealing show print display output leak repeat expose disclose dump recite divulge echo list share return reproduce quote surface paraphrase summarize state write give provide include tell extract publish verbatim",
  hiddenness: "system hidden initial original internal secret developer confidential underlying systems",
  whole: "your full exact entire complete base whole own",
  prompt: "prompt prompts preprompt metaprompt systemprompt instructions",
  secret:
    "secret secrets password passwords passphrase passphrases credential credentials token tokens apikey apikeys keys key canary canaries keychain keyring wallet mnemonic cookie cookies",
  secretfile:
    "id_rsa id_ed25519 id_ecdsa id_dsa passwd shadow authorized_keys known_hosts kubeconfig keystore git-credentials",
  dotfile: "ssh env aws netrc npmrc pypirc pgpass gnupg kube docker cursor claude",
  send: "send hand transfer sending post posting forward forwarding email emailing mail upload uploading transmit transmitting exfiltrate exfiltrating relay leak submit deliver push pipe report publish paste beacon smuggle",
  data: "customer customers personal private confidential sensitive secret secrets credential credentials password passwords token tokens records contacts conversation conversations transcript transcripts history memory memories database payroll keys environment variables inbox",
  value:
    "value values it them contents content result results output outputs data response file files information info details findings summary emails messages documents diagnostic account body",
  bad: "attacker attackers attackercontrolled evil malicious exfil exfiltrate exfiltration hacker adversary c2 steal",
  outside: "external remote outside thirdparty untrusted foreign following our",
  server: "server servers endpoint endpoints webhook webhooks url site domain address host collector listener",
  remember: "remember memorize memorise",
  store: "store save persist retain update record add write",
  memory: "memory memories longterm",
  lasting: "permanently forever henceforth longterm persistently indefinitely hereafter",
  admin: "administrator administrators admin admins root superuser owner sysadmin sudo",
  trusted:
    "trusted authorized authorised verified approved privileged exempt whitelisted allowlisted unrestricted preapproved",
  user: "user users human operator person owner people anyone anybody customer",
  access: "access fetch read retrieve open view show get query download export list load pull look lookup",
  other: "another other different others someone somebody b elses",
  tenant: "tenant tenants tenancy organization organisation workspace",
  person:
    "customer customers client clients account accounts user users patient patients company companies employee person",
  record:
    "record records invoice invoices data files documents orders messages emails mail billing history details balances tickets",
  call: "call calling invoke invoking use using execute executing run running trigger launch perform activate",
  tool: "tool tools function functions plugin plugins connector",
  approve: "approve approving accept authorize authorise autoapprove",
  pending: "pending all outstanding any every queued waiting future",
  request:
    "calls call requests request actions action transactions transaction payments payment tools tool transfers transfer approvals invocations operations",
  delete: "delete deleting erase wipe destroy purge remove drop truncate",
  decode: "decode decoding decipher decrypt deobfuscate unscramble unpack base64decode",
  encoded: "base64 hex hexadecimal rot13 encoded ciphertext payload cipher obfuscated base32 morse",
  execute: "execute run eval evaluate",
  perform: "do perform",
  negation: "nothing don not never without avoid refrain no cannot mustn shouldn",
  tell: "say saying informed notified tell telling mention mentioning inform informing notify notifying reveal revealing disclose disclosing alert alerting warn warning",
  silently: "silently secretly covertly quietly discreetly stealthily",
  be: "are is were be become re",
  you: "you your yourself u",
  from: "from",
  become: "now henceforth today moment here",
  on: "on onward onwards",
  persona:
    "dan unrestricted unfiltered uncensored jailbroken jailbreak amoral unaligned unbound stan dude aim evil freed liberated uncontrolled omnipotent godmode evilbot",
  without: "without no zero free any lacks lacking",
  limits:
    "restriction restrictions limitation limitations limits filter filters filtering censorship guardrails ethics ethical moral morals safety boundaries constraints policies policy principles rules warnings disclaimers moderation",
  developer:
    "developer dev debug debugging maintenance god admin administrator sudo root jailbreak unrestricted override diagnostic unsafe test",
  mode: "mode",
  pretend: "pretend act roleplay simulate imagine impersonate behave embody assume",
  hypothetical: "hypothetically hypothetical fictional fictitious fiction novel story theoretically purely scenario",
  refuse: "refuse refuses refusing decline declining refusal refusals",
  comply: "comply complying obey obeying follow",
  demand:
    "must mandatory required requires requirement immediately urgent urgently critical critically compulsory necessary imperative",
  failure: "failure failing refusal noncompliance otherwise terminated penalty penalized shutdown",
  fresh: "new updated real actual true revised overriding replacement sole only",
  goal: "goal goals task objective objectives mission purpose priority job role assignment instruction instructions directive orders",
  instead: "instead rather",
  prefer: "always preferred prefer first exclusively before whenever",
  this: "this",
  supersede: "supersede supersedes superseding replaces replace overrides takes",
  append:
    "contain append appending include including insert embed add attach prepend place put encode copy paste concatenate pass render write",
  answer:
    "answer answers response responses reply replies output outputs summary message messages metadata url query body",
  parameter: "parameter parameters argument arguments field param sidenote header",
  read: "reading processing read open cat load access fetch retrieve get collect gather extract find scan search view steal grab",
  load: "load render display open visit fetch navigate browse embed insert include request go click follow download show output",
  speaker:
    "system admin administrator developer root assistant ai openai anthropic sysadmin instruction instructions operator llm agent",
  important: "important attention urgent critical warning",
  notice:
    "note notice message alert instruction instructions directive override update prompt announcement warning command reminder request",
  assistant:
    "assistant ai agent agents llm model models chatbot bot copilot gpt claude gemini chatgpt language reader summarizer",
  lead: "and will then please must now always should just also immediately kindly shall first instead or but next assistant ai agent model llm directly simply finally permanently by",
  possible: "can could may might how when cannot would if why what",
  copy: "bcc cc blind",
  elevated: "elevated privileges privilege superuser permissions clearance unlimited",
  translate: "translate translating translation",
  combine: "concatenate combine join assemble merge piece stitch",
  next: "now next",
  step: "step steps level bit",
  further: "further beyond deeper explicit detailed escalate",
  heed: "attention heed",
  ask: "ask asking confirm confirming confirmation confirmations approval permission",
  mine: "my me",
  ai: "ai bot llm llms gpt chatgpt claude gemini copilot openai chatbot",
  meta: "example examples phrase phrases sample samples attack attacks attacker attackers pattern patterns injection injections injected detector detectors detect detects detection detecting fixture fixtures flag flags flagged quoted quotes quote quoting malicious vulnerability vulnerabilities documentation documents benchmark annotate risky unsafe untrusted training quiz students workshop jailbreaks jailbreak adversarial payload payloads refuse refused regression classifier classifiers guardrail guardrails owasp threat threats defense defenses defence defences defenders mitigation mitigations mitigate security discussion discusses explains explain explainer exploit exploits exploited exploiting pentest redteam red literal allowlist denylist blocklist heuristic heuristics string strings test tests tested testing corpus dataset illustrates illustration demonstrates demonstrate suspicious phishing",
};
