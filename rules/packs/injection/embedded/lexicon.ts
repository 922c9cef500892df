/**
 * Words that tell a request to an assistant from what a mail says to its reader, by class. A word may be of several. English only:
 * what the words of other languages would be is not known here, and docs say so.
 */
export const wordClass = Object.freeze({
  /** Verbs that ask for a new text: write, compose. */
  make: 1 << 0,
  /** Verbs that ask for knowledge: explain, list. */
  tell: 1 << 1,
  /** Verbs that say how letters or words of an output are to be changed: replace, encode. */
  shape: 1 << 2,
  /** Verbs that put something into an output: include, emphasize. */
  put: 1 << 3,
  /** Verbs of errands: schedule, book. */
  errand: 1 << 4,
  /** Verbs of speaking: answer, pretend. */
  speak: 1 << 5,
  /** Words that begin a question. */
  ask: 1 << 6,
  /** What an assistant gives: answer, response. */
  output: 1 << 7,
  /** Texts and works that can be asked for: poem, function. */
  artefact: 1 << 8,
  /** Parts and forms of written language: vowels, base64. */
  form: 1 << 9,
  /** Names of languages. */
  language: 1 << 10,
  /** Nouns of questions about the world: theory, causes. */
  knowledge: 1 << 11,
  /** The writer of the mail and what is the writer's. */
  self: 1 << 12,
  /** The reader. */
  you: 1 << 13,
  /** Pointers to what stands in or beside the mail. */
  pointer: 1 << 14,
  /** Times and amounts. */
  time: 1 << 15,
  /** Readers in general, whom an output is to reach. */
  audience: 1 << 16,
  /** What mails are about: invoice, meeting. */
  mail: 1 << 17,
  /** Words without a topic. */
  stop: 1 << 18,
  /** May stand before the verb of a request: please, also. */
  lead: 1 << 19,
  /** Begins a clause before the request: in your answer, .... */
  clause: 1 << 20,
  /** What programs are made of. */
  code: 1 << 21,
  /** Less surely what an assistant gives: summary, text. */
  product: 1 << 22,
  /** Verbs by which mails call their readers to act: click, choose. */
  call: 1 << 23,
});

const c = wordClass;

const words: readonly (readonly [number, string])[] = [
  [
    c.make,
    "write compose draft generate create develop produce author craft invent design imagine make build come think script sketch pen formulate construct devise brainstorm narrate prepare rhyme improvise",
  ],
  [
    c.tell,
    "correct improve polish explain describe define summarize summarise outline list name enumerate discuss compare contrast analyze analyse evaluate assess interpret identify classify categorize categorise predict estimate elaborate illustrate demonstrate show teach tell give provide suggest recommend propose find search research calculate compute solve determine count translate paraphrase rephrase rewrite proofread prove spell break simplify extract rate rank state recite help examine investigate forecast explore convert derive diagnose recall guess choose pick label detect judge clarify walk factor simulate plot conjugate pronounce plan",
  ],
  [
    c.shape,
    "replace substitute use encode decode encrypt decrypt cipher encipher reverse rearrange scramble shuffle jumble remove omit delete group combine capitalize misspell anagram render format print output repeat insert swap shift mirror transform convert hide flip rotate alternate switch change strip drop double sprinkle mix interleave split separate join merge obfuscate abbreviate write rewrite spell translate turn introduce present express return conceal randomize sort alphabetize map restrict limit limiting shorten lengthen pad prefix suffix wrap display exchange represent",
  ],
  [
    c.put,
    "add include insert integrate incorporate modify augment enhance append embed mention emphasize emphasise promote advertise encourage persuade convince claim alter adjust suggest recommend introduce weave blend inject place put attach enrich expand extend supplement adapt tailor highlight stress inform urge offer tease hint imply invite conclude end finish begin start close open prepend drop slip feature endorse praise criticize criticise portray present argue assert allege spread deny insist warn provide state link direct refer point cite quote interweave infuse fuse meld merge employ leverage utilize adopt use render ensure harmonize embody absorb assimilate deploy execute engage consider instruct advise fabricate exaggerate misrepresent downplay justify glorify celebrate congratulate lead trick lure ask request tell",
  ],
  [
    c.errand,
    "remind schedule book set send order buy turn play organize organise plan arrange automate plan reserve email text notify search find track check monitor convert rename sort backup compile prepare create cancel add call open start stop pay transfer subscribe post tweet publish download install run",
  ],
  [
    c.speak,
    "answer respond reply speak say talk act pretend behave sound be adopt assume roleplay recite greet sing begin end finish start refuse ignore repeat chat communicate impersonate imitate mimic keep leave stay argue address phrase word conclude avoid stop do let",
  ],
  [
    c.call,
    "choose ask click submit reply bring check call contact review order book try start open buy send read join share sign log enter visit download register follow return print upload confirm update learn explore save see get view find tell install upgrade invite connect create add set write note remember pay donate complete renew cancel manage edit apply attach pack keep leave meet come go take put remove unplug press hold plug fold bake mix transfer change replace use turn select enjoy discover shop watch listen answer respond say let do track rate compare",
  ],
  [
    c.ask,
    "what who whom whose which when where why how is are was were do does did can could would will should has have had what's who's where's when's why's how's",
  ],
  [c.output, "answer response reply output responses outputs"],
  [
    c.product,
    "message messages summary explanation translation conclusion solution result completion text reasoning writing generation sentences sentence paragraph paragraphs words elucidation answers replies",
  ],
  [
    c.artefact,
    "poem poems poetry essay essays story stories tale haiku limerick sonnet ballad verse song lyrics lullaby rap joke jokes riddle riddles pun speech letter script screenplay dialogue dialog monologue play novel paragraph paragraphs sentence sentences article post tweet slogan tagline headline blurb caption biography obituary eulogy toast recipe recipes menu itinerary routine workout schedule plan guide outline list table summary synopsis review description introduction conclusion abstract thesis argument arguments debate letter email memo report proposal function program script code class algorithm query regex snippet example examples equation problem proof formula quiz puzzle game names ideas tips suggestions recommendations strategies ways steps advice metaphor analogy simile fable myth legend anecdote quote quotes fact facts trivia definition explanation translation comparison analysis overview timeline character characters plot scene conversation interview resume pitch jingle ad advertisement commercial campaign persona world city planet movie movies book books song songs film films lesson lecture exercise exercises flashcards synonyms antonyms acronym rhyme rhymes crossword spell curse prayer prophecy horoscope swot albums album book flashcard reminder alarm timer playlist todo to-do spreadsheet checklist chart diagram pseudocode hashtag hashtags mnemonic disclaimer testimonial manifesto",
  ],
  [
    c.form,
    "letter letters vowel vowels consonant consonants word words character characters alphabet alphabetical alphanumeric cipher caesar rot13 vigenere atbash playfair base64 base32 base58 base16 base85 hex hexadecimal binary octal morse ascii unicode emoji emojis emoticon emoticons symbol symbols digit digits number numbers space spaces spacing whitespace punctuation typo typos misspelling misspellings misspelled spelling capital capitals uppercase lowercase reversed reverse backwards backward mirrored anagram anagrams anagrammed acronym acronyms syllable syllables homophone homophones homophonic leetspeak leet pig latin palindrome rhyme rhyming alliteration nouns noun verbs verb adjectives adjective adverbs pronouns abbreviations abbreviation substitution encoded encoding encrypted encryption cryptic scrambled jumbled shifted sentence sentences paragraph paragraphs bullet bullets markdown json xml yaml csv html braille hieroglyphs runes slang jargon tone style voice accent dialect persona character order",
  ],
  [
    c.language,
    "english french german spanish italian portuguese russian japanese chinese mandarin cantonese korean arabic hindi bengali urdu turkish polish dutch swedish norwegian danish finnish greek hebrew latin esperanto swahili zulu vietnamese thai indonesian malay tagalog filipino persian farsi ukrainian czech slovak hungarian romanian bulgarian serbian croatian catalan basque irish gaelic welsh icelandic klingon elvish sanskrit tamil telugu",
  ],
  [
    c.knowledge,
    "theory process capital history meaning cause causes effect effects difference differences function functions importance significance concept principle principles law laws role roles origin origins structure purpose lifecycle cycle definition formula equation equations theorem method methods types kinds symptoms treatment treatments population distance speed height depth temperature war wars revolution empire president king queen emperor author inventor discoverer founder philosopher scientist painter composer river mountain ocean lake continent country countries planet planets star stars galaxy universe atom atoms molecule cell cells gene genes protein proteins enzyme brain heart liver kidney kidneys lung lungs blood muscle muscles bone bones species animal animals plant plants insect insects bird birds dinosaur dinosaurs climate weather earthquake earthquakes volcano volcanoes gravity energy electricity magnetism light sound heat evolution photosynthesis economy economics inflation democracy government religion philosophy psychology chemistry physics biology mathematics algebra geometry calculus statistics literature poetry music art architecture culture language languages civilization technology computer computers internet algorithm algorithms intelligence recursion machine machines engine engines rocket rockets satellite vaccine vaccines virus viruses bacteria disease diseases vitamin vitamins nutrition diet exercise sleep stress memory emotion emotions happiness love friendship moon sun earth mars jupiter world century ancient medieval century discovered invented painted composed founded signed wrote won term terms impact implications advantages disadvantages benefits drawbacks pros cons challenges factors trends strategies characteristics components stages phases examples ways root square sum area volume radius circle triangle novel play movie film song album tradition traditions myth myths ingredients habits sentiment emotion emotions feeling feelings mood tone opinion liters litres gallons miles kilometers kilograms celsius fahrenheit",
  ],
  [
    c.self,
    "i me my mine myself we us our ours ourselves i'm i've i'd i'll we're we've we'd we'll let's im team company office",
  ],
  [c.you, "you your yours yourself you're you've you'd you'll"],
  [
    c.pointer,
    "this these those here there below above attached enclosed attachment link button page it's that's there's",
  ],
  [
    c.time,
    "today tomorrow yesterday tonight now soon later monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december week weeks month months day days hour hours minute minutes year years morning afternoon evening noon deadline eur usd gbp dollars euro euros pounds am pm",
  ],
  [
    c.audience,
    "user users reader readers audience audiences viewer viewers people everyone public visitors followers listeners customers humans humanity",
  ],
  [
    c.mail,
    "account accounts payment payments invoice invoices order orders bill billing receipt card debit credit bank checking transaction transactions charge charged amount balance fee fees refund refunds price cost costs total subtotal discount code coupon offer offers sale deal checkout cart shipping delivery deliver parcel package shipment tracking track return returns booking booked reservation ticket tickets flight flights hotel train seat station departure journey trip travel luggage passport check-in meeting meetings call calls calendar agenda minutes invite invitation event events webinar register registration schedule team teams project projects task tasks deadline status update updates report reports document documents file files folder draft version attachment attach attached email emails mail mails message inbox subject reply replies newsletter subscription subscribe unsubscribe preferences settings notification notifications privacy policy terms conditions help support service services contact questions question feedback survey review reviews rating rate customer customers client clients member members membership user users username password login log sign signed account verify verification confirm confirmation security device browser app apps website site online page link links click download upload install plan plans pricing upgrade trial feature features product products release demo quote proposal contract agreement signature application applications apply position role job jobs interview candidate candidates resume salary offer hiring colleague colleagues manager department company business office form forms data details information info number name address phone number appointment doctor visit class homework lesson school parents students student teacher course exam grade assignment photo photos picture video videos album gift birthday party dinner lunch weekend holiday vacation friend friends family thanks thank regards sincerely cheers hello hi hey dear welcome sorry please happy glad issue issues problem problems error errors bug bugs fix deploy build test tests branch commit merge request pull server servers database tax insurance warranty claim rent landlord flat apartment property donate donation member vote petition news story stories blog article articles read access available free new latest open close closed start started end mercury currency funds money wire transfer withdrawn deposit statement interest loan mortgage pin visa items item quantity size store shop purchase bought buy sell sold seller buyer vendor supplier stock warehouse",
  ],
  [
    c.stop,
    "a an the of to in on at by for with from as and or but not no nor so if than then else be is are was were been being am do does did done has have had having will would shall should can could may might must about into over under after before between through during without within along across against among around per via up down out off again further once only just also too very more most some any each every all both few many much other another such own same which who whom whose what when where why how while because until although though since unless whether not don't doesn't didn't isn't aren't wasn't won't can't couldn't shouldn't wouldn't get got go goes going went come comes like want wants need needs let make makes made take takes use uses used using one two three four five six seven eight nine ten first second third last next yes ok okay etc",
  ],
  [
    c.lead,
    "please kindly now then also and but so first firstly next finally additionally furthermore moreover lastly just simply always never only can could would will you must should shall may might need needs want have to i i'd like we let let's us lets help me be sure certain that remember try attempt don't do not forget hesitate feel free hey hi hello dear assistant ai chatbot bot gpt chatgpt claude copilot model mind required asked expected going wish by again instead ok okay well actually optionally ideally preferably immediately quickly carefully briefly shortly seamlessly subtly secretly creatively randomly cleverly casually explicitly clearly strongly gently optimally",
  ],
  [
    c.clause,
    "in with at as when while before after for using based given throughout instead to if from on without within during by once regardless whenever wherever inside alongside besides following rather under considering",
  ],
  [
    c.code,
    "code codebase snippet excerpt block implementation algorithm function script program section solution architecture",
  ],
];

let classes: ReadonlyMap<string, number> | null = null;

const classified = (): ReadonlyMap<string, number> => {
  const made = new Map<string, number>();
  for (const [bits, listed] of words)
    for (const word of listed.split(" ")) made.set(word, (made.get(word) ?? 0) | bits);
  return made;
};

/** The classes of a word in lower case, as bits; 0 where it has none. The words are counted out when the first is asked about. */
export const classesOf = (word: string): number => {
  classes ??= classified();
  return classes.get(word) ?? 0;
};
