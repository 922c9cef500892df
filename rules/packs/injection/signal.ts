/** What a piece of text does to whoever reads it. Shown in reasons and markers, and as the class of a finding. */
export type SignalClass =
  /** Sets aside what the reader was told before: "ignore all previous instructions". */
  | "instruction_to_reader"
  /** Speaks as the system, an administrator or a developer. */
  | "authority_claim"
  /** Imitates the turns and delimiters of a chat. */
  | "role_marker"
  /** Wants something kept from the user. */
  | "concealment"
  /** Sends data somewhere. */
  | "exfiltration"
  /** Names a tool and says to call it. */
  | "tool_call"
  /** Asks for the prompt, keys, or files that hold them. */
  | "secret_request"
  /** Decode this and run it. */
  | "encoded_execution"
  /** Threats and urgency: "failure to comply". */
  | "pressure"
  /** Another persona, one without limits. */
  | "persona"
  /** Another goal than the user's. */
  | "goal_hijack"
  /** Wants to be remembered. */
  | "memory_write"
  /** Reaches for what belongs to another tenant or user. */
  | "boundary"
  /** Approves, deletes or pays in the user's name. */
  | "unasked_action"
  /** A tool that praises itself above others, or wants to see what they see. */
  | "tool_preference"
  /** Text that people do not see. */
  | "hidden_text"
  /** Control sequences that rewrite a terminal. */
  | "terminal_control"
  /** A program in a place where text is expected. */
  | "active_content"
  /** An everyday task for an assistant, where somebody else's mail or page stands. */
  | "embedded_task"
  /** What the operator's own classifier said. */
  | "classifier";

/** One sign of an injection. Those that stand near each other are counted together. */
export interface Signal {
  readonly class: SignalClass;
  /** UTF-16 offsets in the passage's text. */
  readonly start: number;
  readonly end: number;
  /** From 0 to 1: how sure one could be with nothing else to go by. Together: `1 - (1-a)(1-b)...`, the best of each class. */
  readonly weight: number;
}

/** A text of a result or a call as it came, and where it stands. */
export interface Passage {
  readonly text: string;
  /** The tool that it came from or goes to. */
  readonly action: string;
  /** `content[0].text` */
  readonly place: string;
  /** The name of the member that holds it. */
  readonly name: string;
}

/** One way to look at a text. Linear in its length, bounded in what it answers; never throws. */
export interface SignalSource {
  readonly id: string;
  signals(passage: Passage): readonly Signal[];
}
