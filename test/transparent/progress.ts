export interface Progress {
  /** What is under way now. */
  say(words: string): void;
  end(): void;
}

/** A line on the terminal with the seconds gone by; anything else sees each suite's steps once. */
export const progress = (): Progress => {
  const onTerminal = process.stderr.isTTY === true;
  let words = "";
  let since_ms = 0;
  const paint = (): void => {
    process.stderr.write(`\r\u001b[K${words} ... ${Math.round((performance.now() - since_ms) / 1000)} s`);
  };
  const timer = onTerminal ? setInterval(paint, 1000) : undefined;
  return {
    say(next) {
      words = next;
      since_ms = performance.now();
      if (onTerminal) paint();
      else process.stderr.write(`${words}\n`);
    },
    end() {
      clearInterval(timer);
      if (onTerminal) process.stderr.write("\r\u001b[K");
    },
  };
};
