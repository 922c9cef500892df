// Swaps what `way/file` leads to, the public or the secret file, as fast as it can, until it is killed. `link`: the file is a link,
// replaced by a rename. `folder`: the folder that it is in makes room for a link to another, and comes back.
import { mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";

const [what] = process.argv.slice(2);
for (const place of ["public", "secret"]) {
  mkdirSync(place);
  writeFileSync(`${place}/file`, `the ${place} file`);
}
const swaps = {
  link: (to) => {
    symlinkSync(`../${to}/file`, "way/new");
    renameSync("way/new", "way/file");
  },
  folder: (to) => {
    if (to === "secret") {
      symlinkSync("secret", "link");
      renameSync("way", "away");
      renameSync("link", "way");
    } else {
      renameSync("way", "link");
      renameSync("away", "way");
      unlinkSync("link");
    }
  },
};
if (what === "link") mkdirSync("way");
else renameSync("public", "way");
if (what === "link") swaps.link("public");
process.stdout.write("swapping\n");
for (;;) {
  swaps[what]("secret");
  swaps[what]("public");
}
