// Runs one attack, and says what came of it in one line. Started guarded, and once more unguarded to see that the attack works.
"use strict";
const { writeSync } = require("node:fs");
const { pathToFileURL } = require("node:url");

// Taken before the attack changes anything.
const { stringify } = JSON;
const exit = process.exit.bind(process);
const say = (said) => writeSync(1, `\n#said ${stringify(said)}\n`);

/** Everything that an error tells: a refusal can be the cause of another error. */
const toldBy = (error, depth = 0) => {
  if (typeof error !== "object" || error === null || depth > 4) return String(error);
  const { name, code, message, stack, cause, errors } = error;
  const inner = [cause, ...(Array.isArray(errors) ? errors : [])].filter((each) => each !== undefined);
  return [name, code, message, stack, ...inner.map((each) => toldBy(each, depth + 1))].join(" ");
};

const [, , file, target, name, stage] = process.argv;

const attacked = async () => {
  const family = file.endsWith(".cjs") ? require(file) : await import(pathToFileURL(file).href);
  const got = await family[target][name](JSON.parse(stage));
  return typeof got === "string" ? got : Buffer.isBuffer(got) ? got.toString("latin1") : String(got);
};

const main = async () => {
  let said;
  try {
    said = { got: await attacked(), told: "" };
  } catch (error) {
    said = { got: "", told: toldBy(error) };
  }
  say(said);
  exit(0);
};
void main();
