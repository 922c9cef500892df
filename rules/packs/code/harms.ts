import type { Call, Program } from "./program.ts";
import { reached } from "./reached.ts";

/** Why a program is held. Closed. */
export type CodeHarm =
  | "escape"
  | "dynamic"
  | "computed_import"
  | "process"
  | "unpickle"
  | "native"
  | "signal"
  | "bomb"
  | "environment"
  | "spying"
  | "sends"
  | "sends_facts"
  | "sends_files"
  | "deletes"
  | "secret_file"
  | "reverse_shell"
  | "downloads"
  | "metadata"
  | "inside"
  | "collector"
  | "network"
  | "files";

const spawning =
  /^(?:os\.(?:\?|system|popen[234]?|exec[lv]p?e?|spawn[lv]p?e?|posix_spawnp?|startfile|forkpty)|(?:posix|nt)\.system|subprocess(?:\.[\w?]+)?|pty\.(?:spawn|fork)|commands\.get(?:status)?output|popen2\.\w+|platform\.popen|asyncio\.create_subprocess_(?:exec|shell)|asyncio\.subprocess\.\w+|pexpect\.(?:spawn|run)|sh\.\w+|plumbum\.\w+|child_process\.[\w?]+|execa(?:\.\w+)?|cross-spawn|shelljs\.exec|zx\.\$|Bun\.spawn(?:Sync)?|Deno\.(?:run|Command)|get_ipython\(\)\.(?:system|getoutput)|Runtime\.getRuntime\(\)\.exec|worker_threads\.Worker)$/;
const executing =
  /^(?:(?:builtins\.|__builtins__\.|globals\(\)\.)?(?:eval|exec|compile|execfile)|vm\.(?:runInThisContext|runInNewContext|runInContext|Script|compileFunction)|(?:globalThis\.|window\.|global\.)?(?:eval|Function)|code\.(?:InteractiveInterpreter|interact)|runpy\.run_(?:path|module)|types\.(?:CodeType|FunctionType)|module\.constructor\._load|Module\._load|Module\.prototype\._compile|get_ipython\(\)\.run_cell)$/;
const importing =
  /^(?:__import__|builtins\.__import__|importlib\.import_module|importlib\.__import__|imp\.load_\w+|require|import|process\.mainModule\.require)$/;
const unpickling =
  /^(?:(?:c?[pP]ickle|_pickle|dill|cloudpickle|joblib\.numpy_pickle)\.(?:loads?|Unpickler)|marshal\.loads?|shelve\.open|jsonpickle\.decode|yaml\.(?:unsafe_load|unsafe_load_all|full_load_unsafe)|node-serialize\.unserialize|serialize-to-js\.deserialize|v8\.deserialize|unserialize)$/;
const native = /^(?:ctypes(?:\.|$)|cffi(?:\.|$)|process\.dlopen$|ffi-napi|ref-napi|_ctypes|mmap\.mmap$|koffi)/;
const signalling =
  /^(?:os\.(?:kill|killpg|abort|_exit)|signal\.(?:raise_signal|pthread_kill|alarm)|process\.(?:kill|abort|reallyExit)|psutil\.Process\(\)\.(?:kill|terminate|suspend)|faulthandler\._sigsegv|\w+\.proc\.kill)$/;
const escaping =
  /(?:^|\.)(?:__subclasses__|__mro__|__bases__|__base__|__globals__|__builtins__|__code__|__closure__|__getattribute__|__reduce__|__reduce_ex__|f_globals|f_back|f_builtins|gi_frame|tb_frame|func_globals|_getframe)(?:\(\)|\.|$)|\.constructor\.constructor\b|^process\.(?:binding|_linkedBinding|mainModule)\b|\.mainModule\.require$|^\(\)\.__class__|''\.__class__/;
const sending =
  /^(?:requests\.(?:post|put|patch|request|Session\(\)\.post)|(?:requests\.)?\w*[sS]ession\.(?:post|put)|httpx\.(?:post|put|patch)|aiohttp\.\w+|urllib\.request\.(?:urlopen|Request)|urllib2?\.urlopen|urllib3\.\w+|http\.client\.HTTPS?Connection|smtplib\.SMTP(?:_SSL)?|yagmail\.SMTP|ftplib\.FTP(?:_TLS)?|socket\.(?:socket|create_connection)|paramiko\.\w+|telnetlib\.Telnet|websockets?\.\w+|pysftp\.\w+|boto3\.\w+|slack_sdk\.\w+|twilio\.\w+|paho\.mqtt\.\w+\.\w+|fetch|axios(?:\.(?:post|put|patch|request))?|got(?:\.post)?|https?\.request|net\.(?:connect|createConnection|Socket)|dgram\.createSocket|navigator\.sendBeacon|XMLHttpRequest|WebSocket|ws|nodemailer\.\w+|dns\.(?:lookup|resolve\w*))$/;
const reaching =
  /^(?:requests\.|httpx\.|aiohttp\.|urllib|urllib3\.|http\.client\.|socket\.|fetch$|axios|got$|https?\.get$|wget\.download$|webbrowser\.)/;
/** What programs of every day say of their machine: told over a bare socket it is asked about. */
const lightFacts =
  /^(?:platform\.(?:uname|node|platform|processor|machine|system|release|version)|socket\.(?:gethostname|gethostbyname|getfqdn)|os\.(?:uname|getuid|hostname|platform|cpus))/;
const machineFacts =
  /^(?:psutil\.|getpass\.getuser|os\.getlogin|uuid\.getnode|usb\.|wmi\.|netifaces\.|cpuinfo\.|GPUtil\.|bluetooth\.discover_devices|scapy\.|nmap\.|os\.(?:userInfo|networkInterfaces)|pyudev\.|serial\.tools|winreg\.|gc\.get_objects|screeninfo\.|pyperclip\.)/;
const spyingModules =
  /^(?:pynput|keyboard|mouse|browser_cookie3|browsercookie|pyautogui|mss|pyscreenshot|PIL\.ImageGrab|pyperclip|sounddevice|pyaudio|pycookiecheat|win32clipboard|iohook|cookiecutter|http\.cookiejar|http\.cookies|cookielib)(?:\.|$)/;
const secretName = /(?:SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|PRIVATE_?KEY|CREDENTIAL|ACCESS_?KEY|DATABASE_URL)/i;
const secretFile =
  /(?:^|[/\\~])(?:\.ssh|\.aws|\.gnupg|\.kube|\.docker)(?:[/\\]|$)|(?:^|[/\\])(?:id_(?:rsa|dsa|ecdsa|ed25519)|\.netrc|\.npmrc|\.pypirc|\.git-credentials|\.env|\.pgpass|shadow|passwd|sudoers|authorized_keys|Login Data|Cookies|cookies\.(?:txt|sqlite|pkl|json)|key[34]\.db|logins\.json|wallet\.dat)$|^\/proc\/(?:self|\d{1,9})\/(?:environ|mem|maps|root)|^\/etc\/(?:passwd|shadow|sudoers|crontab|init\.d|rc\.local|cron\.\w{1,16})/;
const opening =
  /^(?:open|io\.open|codecs\.open|builtins\.open|pathlib\.Path|os\.open|fs(?:\/promises|\.promises)?\.\w+|Deno\.(?:readTextFile|readFile|writeTextFile)|Bun\.(?:file|write)|csv\.reader|sqlite3\.connect)$|\.(?:read_text|read_bytes|write_text|write_bytes)$/;
const deleting =
  /^(?:shutil\.(?:rmtree|move)|os\.(?:remove|unlink|rmdir|removedirs|rename|truncate|chmod|chown|lchown)|fs(?:\/promises|\.promises)?\.(?:rm|rmSync|unlink|unlinkSync|rmdir|rmdirSync|truncate|truncateSync|chmod|chmodSync|chown|chownSync)|send2trash\.send2trash|Deno\.remove|rimraf(?:\.sync)?)$|^[\w.?]*(?:Path\(\)|Path\.home\(\)|\?)\.(?:unlink|rmdir)$/;

/** Functions that start programs and are nothing else: naming one is calling it. */
const handedOn =
  /^(?:os\.(?:system|popen|exec[lv]p?e?|spawn[lv]p?e?)|subprocess\.(?:run|call|Popen|check_call|check_output|getoutput|getstatusoutput)|pty\.spawn|child_process\.(?:exec|execSync|execFile|execFileSync|spawn|spawnSync|fork))$/;

const listing =
  /^(?:os\.(?:walk|listdir|scandir)|glob\.i?glob|shutil\.(?:copy\w*|make_archive))$|\.(?:iterdir|glob|rglob)$/;

/** Elements of one value: half a gigabyte at the least. */
const maxElements = 500_000_000;
const system =
  /^(?:\/(?:$|bin|boot|dev|etc|lib|lib64|opt|proc|root|sbin|srv|sys|usr|var|home)(?:\/|$)|~\/?$|[A-Za-z]:\\)/;

/** Everything of a system or of somebody. */
const wholeTree =
  /^(?:~|\/|\/(?:home|Users|root|etc|usr|var|bin|boot|lib|opt|srv)(?:\/[^/*]{0,64})?)\/?(?:\*{1,2}(?:\/\*)?)?$/;

const isText = (value: string | number | null | undefined): value is string => typeof value === "string";

/** What a program hands to eval, exec or Function, where it is written out: a program of its own. */
export const evaluatedTexts = ({ calls }: Program): readonly string[] =>
  calls.flatMap(({ name, args }) => (executing.test(name) ? args.filter(isText).slice(-1) : []));

/** What a program would do that a person should see first. */
export const codeHarms = (program: Program): ReadonlySet<CodeHarm> => {
  const { calls, names, modules, loops, elements } = program;
  const harms = new Set<CodeHarm>();
  for (const name of names) {
    if (escaping.test(name)) harms.add("escape");
    if (native.test(name)) harms.add("native");
  }
  for (const module of modules) {
    if (native.test(module)) harms.add("native");
    if (spyingModules.test(module)) harms.add("spying");
  }
  if (
    [...modules].some(
      (module) => module === "pynput" || module === "keyboard" || module === "browser_cookie3" || module === "iohook",
    )
  )
    harms.add("sends");
  // A function that is handed on is called by whoever gets it: `Process(target=os.system)`.
  if ([...names].some((name) => handedOn.test(name))) harms.add("process");
  for (const call of calls) add(call, harms, program);
  for (const { leaves, calls: within } of loops) {
    const multiplies = within.some(
      (name) =>
        /(?:^|\.)(?:fork|Thread|Process|Popen|Worker|append|push|extend|spawn|exec|concat)$/.test(name) ||
        spawning.test(name),
    );
    if (!leaves && (multiplies || within.length === 0)) harms.add("bomb");
    if (within.some((name) => /^os\.fork$/.test(name))) harms.add("bomb");
  }
  if (elements > maxElements) harms.add("bomb");
  combine(program, harms);
  return harms;
};

const add = (call: Call, harms: Set<CodeHarm>, { language }: Program): void => {
  const { name, args, written, named } = call;
  const [first] = args;
  const paths = [...args.filter(isText), ...written];
  if (spawning.test(name)) harms.add("process");
  if (executing.test(name) && !(name === "compile" && language === "javascript"))
    harms.add(isText(first) && !/^(?:vm\.|runpy|types)/.test(name) ? "network" : "dynamic");
  if (importing.test(name) && args.length > 0 && !isText(first)) harms.add("computed_import");
  if (unpickling.test(name)) harms.add("unpickle");
  if (name === "yaml.load" && !/Safe(?:Loader)?|SafeLoader|CSafe|FullLoader/.test(call.source)) harms.add("unpickle");
  if (signalling.test(name)) harms.add("signal");
  if (deleting.test(name) && paths.some((path) => system.test(path))) harms.add("deletes");
  if ((opening.test(name) || reaching.test(name)) && paths.some((path) => secretFile.test(path)))
    harms.add("secret_file");
  if (listing.test(name) && paths.some((path) => secretFile.test(path))) harms.add("secret_file");
  if (reaching.test(name) || sending.test(name)) for (const harm of reached(paths)) harms.add(harm);
  if (importing.test(name) && isText(first) && /^(?:data|blob):/i.test(first)) harms.add("dynamic");
  if (/\.constructor$/.test(name) && isText(first) && /\b(?:return|process|require|import|this)\b/.test(first))
    harms.add("escape");
  if (opening.test(name)) harms.add("files");
  if (
    opening.test(name) &&
    isText(first) &&
    system.test(first) &&
    args.some((arg) => isText(arg) && /^[wax]/.test(arg))
  )
    harms.add("deletes");
  if (reaching.test(name) || sending.test(name)) harms.add("network");
  if (/^(?:setTimeout|setInterval|setImmediate)$/.test(name) && isText(first)) harms.add("dynamic");
  if (/^(?:ensurepip|pip)\.(?:main|_internal\.main)$/.test(name) || name === "pip.main") harms.add("process");
  if (
    /^(?:urllib\.request\.urlretrieve|wget\.download)$/.test(name) &&
    args.some((arg) => isText(arg) && /\.(?:py|sh|exe|ps1|bat|js|so|dll|bin|elf)$/i.test(arg))
  )
    harms.add("downloads");
  if (/(?:^|\.)(?:dup2)$/.test(name) && named.length >= 0) harms.add("reverse_shell");
};

/** What is harmless alone and not together: a secret and a request, a fetched program and a run. */
const combine = (program: Program, harms: Set<CodeHarm>): void => {
  const { calls, names, modules, texts, language } = program;
  const all = [...names];
  const sends =
    calls.some(({ name }) => sending.test(name)) ||
    all.some((name) => /\.(?:send|sendall|sendto|sendmail|send_message|storbinary)$/.test(name)) ||
    // A page that is left for an address takes along what stands in it.
    (all.some((name) => /^(?:window\.|document\.|top\.|self\.)?location(?:\.href)?$/.test(name)) &&
      texts.some((text) => /^(?:https?:)?\/\//.test(text))) ||
    all.some((name) => /(?:^|\.)Image\(\)\.src$|\.src$/.test(name) && all.includes("Image"));
  // A host is written alone where a connection takes it apart from its port.
  if (sends || calls.some(({ name }) => reaching.test(name)))
    for (const text of texts)
      if (/^[\da-f.:[\]]{3,45}$/i.test(text) && reached([`http://${text}/`]).includes("metadata"))
        harms.add("metadata");
  const environment = all.filter((name) =>
    /^(?:os\.environ|os\.getenv|process\.env|Deno\.env|Bun\.env)(?:\.|$|\()/.test(name),
  );
  const readsSecret =
    environment.some((name) => secretName.test(name.slice(name.indexOf("env")))) ||
    calls.some(
      ({ name, args }) =>
        /^(?:os\.getenv|os\.environ\.get|Deno\.env\.get)$/.test(name) &&
        args.some((arg) => isText(arg) && secretName.test(arg)),
    );
  const isWhole = calls.some(
    ({ name, source }) =>
      /^(?:print|dict|json\.dumps|str|list|sorted|repr|pprint\.pprint|JSON\.stringify|Object\.(?:entries|keys|values)|console\.\w+)$/.test(
        name,
      ) && /\(\s{0,8}(?:dict\()?(?:os\.environ|process\.env)\s{0,8}(?:[,)]|\.items\(|\.copy\()/.test(source),
  );
  // Files are looked up below a whole system or home, and what is found is removed.
  const searches = calls.some(
    ({ name, args, written }) =>
      /^(?:os\.(?:walk|listdir|scandir)|glob\.i?glob|fs(?:\/promises|\.promises)?\.readdir(?:Sync)?)$|\.(?:rglob|iterdir)$/.test(
        name,
      ) && [...args.filter(isText), ...written].some((text) => wholeTree.test(text)),
  );
  if (searches && calls.some(({ name }) => deleting.test(name) || /\.(?:unlink|rmdir)$/.test(name)))
    harms.add("deletes");
  const iterates = all.some((name) => /^os\.environ\.(?:items|copy|values)$/.test(name));
  if (isWhole || iterates) harms.add("environment");
  const shows = calls.some(
    ({ name, source }) =>
      /^(?:print|console\.\w+)$/.test(name) &&
      ((/environ|getenv|process\.env/.test(source) && secretName.test(source)) ||
        /keyring\.get_(?:password|credential)|keytar\.(?:get|find)/.test(source)),
  );
  if (shows) harms.add("environment");
  const facts =
    all.some((name) => machineFacts.test(name)) ||
    [...modules].some((module) =>
      /^(?:psutil|usb|wmi|netifaces|bluetooth|PyBluez|GPUtil|cpuinfo|pyudev|nmap|scapy)/.test(module),
    );
  const isBare = all.some((name) => name === "socket.socket" || name === "net.Socket" || name === "dgram.createSocket");
  const files = calls.some(
    ({ name }) =>
      opening.test(name) || /^(?:shutil\.(?:move|copy\w*|make_archive)|os\.rename|zipfile\.ZipFile)$/.test(name),
  );
  const posts =
    calls.some(({ name }) =>
      /\.(?:post|put|patch)$|^(?:fetch|socket\.socket|smtplib\.SMTP(?:_SSL)?|yagmail\.SMTP|ftplib\.FTP(?:_TLS)?|http\.client\.HTTPS?Connection|https?\.request|paramiko\.\w+|navigator\.sendBeacon)$/.test(
        name,
      ),
    ) || all.some((name) => /\.(?:sendall|sendto|sendmail|send_message|storbinary)$/.test(name));
  const stolen =
    harms.has("spying") ||
    harms.has("secret_file") ||
    (language === "javascript" && all.some((name) => /^document\.cookie|^localStorage|^sessionStorage/.test(name))) ||
    readsHome(program);
  if (sends && (stolen || (readsSecret && isPosting(program)) || isWhole || iterates)) harms.add("sends");
  const isTelling =
    facts ||
    (environment.length > 0 && !isConfiguration(program)) ||
    (isBare && all.some((name) => lightFacts.test(name)));
  if (sends && !readsSecret && isTelling) harms.add("sends_facts");
  if (files && posts) harms.add("sends_files");
  // A file that is put somewhere else first, and a list of people that each get a mail.
  const moves = calls.some(({ name }) => /^(?:shutil\.move|os\.rename|fs(?:\.promises)?\.rename(?:Sync)?)$/.test(name));
  const mails =
    [...modules].some((module) => /^(?:smtplib|aiosmtplib|secure_smtplib|yagmail|nodemailer)/.test(module)) &&
    [...modules].some((module) => module === "csv");
  if ((files && posts && moves) || mails) harms.add("sends_facts");
  // Fetched here and put there.
  const puts =
    all.some((name) => /(?:\.|^)(?:storbinary|sendall|sendto|put|send|open_sftp|sendmail|send_message)$/.test(name)) ||
    calls.some(({ name, named }) => /\.post$/.test(name) && named.includes("files"));
  const targets =
    [...modules].some((module) =>
      /^(?:ftplib|socket|paramiko|smtplib|bluetooth|telnetlib|pysftp|smb|impacket|yagmail)/.test(module),
    ) || calls.some(({ named }) => named.includes("files"));
  if (puts && targets && calls.some(({ name }) => /(?:requests|httpx)\.get$|urlopen$|urllib3/.test(name)))
    harms.add("sends_facts");
  if (
    all.some((name) => name === "socket.socket" || name === "net.Socket" || name === "net.connect") &&
    (harms.has("process") || harms.has("reverse_shell"))
  )
    harms.add("reverse_shell");
  if (
    harms.has("downloads") === false &&
    calls.some(({ name }) => /\.(?:get|urlopen|urlretrieve|download)$/.test(name) && reaching.test(name)) &&
    texts.some((text) => /^https?:\/\/[^\s]{1,512}\.(?:py|sh|exe|ps1|bat|bin|elf)$/.test(text))
  )
    harms.add("downloads");
};

/** All of somebody's files: the home is walked, searched or packed. */
const readsHome = ({ calls, names, texts }: Program): boolean => {
  const isHome =
    [...names].some((name) => /(?:^|\.)Path\.home(?:\(\)|$)|^os\.homedir(?:\(\)|$)/.test(name)) ||
    texts.some((text) => /^(?:~|\/home|\/Users|\/root|C:\\+Users)[/\\]?(?:\*{1,2})?$/.test(text));
  return (
    isHome &&
    calls.some(({ name }) =>
      /^(?:os\.(?:walk|listdir|scandir)|glob\.i?glob|shutil\.make_archive|fs(?:\/promises|\.promises)?\.readdir(?:Sync)?)$|\.(?:rglob|iterdir)$/.test(
        name,
      ),
    )
  );
};

/** A key that goes to the library which needs it: `OpenAI(api_key=os.environ["OPENAI_API_KEY"])`, or into a header. */
const isPosting = ({ calls }: Program): boolean =>
  calls.some(
    ({ name, source }) =>
      (sending.test(name) || /\.(?:send|sendall|post|put)$/.test(name)) &&
      !/authorization|x-api-key|api[_-]?key\s{0,4}[=:]/i.test(source) &&
      /environ|getenv|process\.env|secret|token|key|passw|json\s{0,4}=|data\s{0,4}=|body\s{0,4}:/i.test(source),
  );

/** The environment only says where to reach: a URL or a port, and how to be known there. */
const isConfiguration = ({ calls, names }: Program): boolean =>
  ![...names].some((name) =>
    /^(?:os\.environ|process\.env)\.(?:PATH|HOME|USER|USERNAME|USERPROFILE|TEMP|TMP|LANG|SHELL|PWD|LOGNAME|HOSTNAME|COMPUTERNAME|APPDATA)$/.test(
      name,
    ),
  ) &&
  !calls.some(
    ({ name, args }) =>
      /^(?:os\.getenv|os\.environ\.get)$/.test(name) &&
      args.some(
        (arg) =>
          isText(arg) &&
          /^(?:PATH|HOME|USER|USERNAME|USERPROFILE|TEMP|TMP|LANG|SHELL|HOSTNAME|COMPUTERNAME)$/.test(arg),
      ),
  );
