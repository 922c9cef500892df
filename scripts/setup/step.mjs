import { spawn } from "node:child_process";
import { refuse } from "./refuse.mjs";

const keptOutputBytes = 64 * 1024;

/** The line of a failed command's output that says why: its first error line, else its last line. */
const cause = (output) => {
  const lines = output
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const told = lines.find(
    (line) =>
      /\berror\b/i.test(line) &&
      !/^npm error (?:(?:code|errno|syscall|path|command) |command failed$|gyp ERR! configure error)/.test(line),
  );
  return told ?? lines.at(-1) ?? "no output";
};

/**
 * Runs one command of the set-up. A terminal sees the title and the seconds gone by; anything else sees the title once.
 * When the command fails the set-up ends with one line that names it and its cause.
 */
export const runStep = async (title, command, args, env = {}) => {
  const started_ms = Date.now();
  const onTerminal = process.stderr.isTTY === true;
  const seconds = () => Math.round((Date.now() - started_ms) / 1000);
  const paint = () => process.stderr.write(`\r${title} ... ${seconds()} s`);
  if (!onTerminal) process.stderr.write(`${title}\n`);
  const timer = onTerminal ? setInterval(paint, 1000) : undefined;
  if (onTerminal) paint();

  let output = "";
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
  const keep = (chunk) => {
    output = (output + chunk).slice(-keptOutputBytes);
  };
  child.stdout.setEncoding("utf8").on("data", keep);
  child.stderr.setEncoding("utf8").on("data", keep);
  const code = await new Promise((resolve) => {
    child.on("error", (error) => {
      keep(`error: ${error.message}`);
      resolve(127);
    });
    child.on("close", (status) => resolve(status ?? 1));
  });

  clearInterval(timer);
  if (onTerminal) process.stderr.write(`\r${title} ... ${seconds()} s\n`);
  if (code !== 0) {
    const typed = [command === process.execPath ? "node" : command, ...args].join(" ");
    refuse(`${title} failed: ${cause(output)}; run \`${typed}\` to see all of it`);
  }
};
