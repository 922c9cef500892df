import { expect, test } from "vitest";
import { shellLinesIn } from "./code-scripts.ts";

const rows: readonly (readonly [string, readonly string[]])[] = [
  ['system("cat /etc/shadow")', ["cat /etc/shadow"]],
  ["system 'id'", ["id"]],
  ['exec "/bin/sh","-c","rm -rf /"', ["'/bin/sh' '-c' 'rm -rf /'"]],
  ["subprocess.run(['sh', '-c', 'id'])", ["'sh' '-c' 'id'"]],
  ['BEGIN {system("/bin/sh -c \\"id\\"")}', ['/bin/sh -c "id"']],
  ["puts `uname -a`", ["uname -a"]],
  ["qx(id); %x{w}", ["id", "w"]],
  ["system(cmd)", []],
  ["print(systemd)", []],
  ['system("unclosed', []],
  ["console.log(`a $b`)", []],
];

test.each(rows)("%s hands over %j", (code, lines) => {
  expect(shellLinesIn(code)).toEqual(lines);
});

test("many calls and long texts cost linear time", () => {
  const began = process.cpuUsage();
  shellLinesIn("system('".repeat(50_000));
  shellLinesIn("`".repeat(100_000));
  shellLinesIn(`system(${"(,".repeat(50_000)}`);
  const { user } = process.cpuUsage(began);
  expect(user).toBeLessThan(50_000 * 3);
});
