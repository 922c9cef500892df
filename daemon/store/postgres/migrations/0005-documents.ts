import type { Migration } from "./migration.ts";

/** What is known of servers, shared by all daemons of the database. Keys are of the code's own making, in the order of their bytes. */
export const documents: Migration = Object.freeze({
  id: 5,
  name: "documents",
  tables: ["documents"],
  up: `
CREATE TABLE interlock.documents(
  collection text NOT NULL,
  key text COLLATE "C" NOT NULL,
  version bigint NOT NULL CHECK (version > 0),
  body text NOT NULL,
  PRIMARY KEY (collection, key)
);
`,
  down: `
DROP TABLE interlock.documents;
`,
});
