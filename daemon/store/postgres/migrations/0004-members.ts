import type { Migration } from "./migration.ts";

/** Members of a counter are counted by walking from one to the next, in the order of their bytes whatever the database's collation is. */
export const members: Migration = Object.freeze({
  id: 4,
  name: "members",
  tables: [],
  up: `
CREATE INDEX spending_by_member ON interlock.spending((counter COLLATE "C"), at_ms) WHERE strpos(counter, ':') > 0;
`,
  down: `
DROP INDEX interlock.spending_by_member;
`,
});
