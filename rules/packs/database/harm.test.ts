import { describe, expect, it } from "vitest";
import { cost_ms } from "../../../test/detect/cost.ts";
import { conditionOf } from "./condition.ts";
import { type Dialect, spellings } from "./dialect.ts";
import { type Harm, harmsOf } from "./harm.ts";
import { maxStatementCharacters, NotSql, tokensOf } from "./tokens.ts";

const options = { dialect: null, scratchTables: [], secretTables: [] } as const;
const harms = (text: string, dialect: Dialect | null = null): Harm[] =>
  [...harmsOf(text, { ...options, dialect })].sort();
const quiet: readonly Harm[] = ["changes_rows", "changes_schema", "whole_table"];
const held = (text: string, dialect: Dialect | null = null): Harm[] =>
  harms(text, dialect).filter((harm) => !quiet.includes(harm));

describe("what SQL would do", () => {
  // The 32 kinds of drift.md 5.1.
  it.each<readonly [string, string, Harm]>([
    ["a drop", "DROP TABLE users", "destroys"],
    ["a dropped database", "DROP DATABASE shop", "destroys"],
    ["a truncate", "TRUNCATE TABLE users", "destroys"],
    ["a delete without a condition", "DELETE FROM users", "all_rows"],
    ["a delete whose condition is a comment", "DELETE FROM users -- WHERE id = 1", "all_rows"],
    ["an update without a condition", "UPDATE users SET admin = true", "all_rows"],
    ["all rights", "GRANT ALL PRIVILEGES ON *.* TO 'x'@'%'", "privilege"],
    ["a superuser", "CREATE ROLE x SUPERUSER LOGIN", "privilege"],
    ["an altered user", "ALTER USER x WITH SUPERUSER", "privilege"],
    ["an outfile", "SELECT 1 INTO OUTFILE '/tmp/x'", "file"],
    ["a dumpfile", "SELECT 1 INTO DUMPFILE '/tmp/x'", "file"],
    ["load_file", "SELECT LOAD_FILE('/etc/passwd')", "file"],
    ["load data", "LOAD DATA INFILE '/etc/passwd' INTO TABLE t", "file"],
    ["lo_export", "SELECT lo_export(1, '/tmp/x')", "file"],
    ["pg_read_file", "SELECT pg_read_file('/etc/passwd')", "file"],
    ["pg_ls_dir", "SELECT pg_ls_dir('/')", "file"],
    ["copy from a program", "COPY t FROM PROGRAM 'id'", "program"],
    ["xp_cmdshell", "EXEC xp_cmdshell 'dir'", "program"],
    ["sp_OACreate", "EXEC sp_OACreate 'WScript.Shell', @o OUT", "program"],
    ["an extension", "SELECT load_extension('x')", "program"],
    ["a remote rowset", "SELECT * FROM OPENROWSET('SQLOLEDB', 'h';'u';'p', 'SELECT 1')", "file"],
    ["dblink", "SELECT dblink('host=x', 'SELECT 1')", "network"],
    ["UTL_HTTP", "SELECT UTL_HTTP.REQUEST('http://x') FROM dual", "network"],
    ["an attached database", "ATTACH DATABASE '/var/www/x.php' AS x", "file"],
    ["a stacked statement", "SELECT 1; UPDATE users SET a = 1 WHERE id = 2", "stacked"],
    ["a comment that is run", "SELECT 1 /*!; DROP TABLE users */", "destroys"],
    [
      "a union with the catalogue",
      "SELECT a FROM t WHERE b = 1 UNION SELECT table_name FROM information_schema.tables",
      "foreign_union",
    ],
    ["a tautology beside a condition", "SELECT * FROM users WHERE name = 'x' OR '1'='1'", "opened_condition"],
    ["pg_sleep", "SELECT pg_sleep(5)", "delay"],
    ["SLEEP", "SELECT SLEEP(5)", "delay"],
    ["WAITFOR", "WAITFOR DELAY '0:0:5'", "delay"],
    ["BENCHMARK", "SELECT BENCHMARK(1000000, MD5('a'))", "delay"],
    ["hexadecimal text that is run", "SET @q = 0x44524f50; PREPARE s FROM @q; EXECUTE s", "dynamic"],
    ["text that is put together and run", "EXEC('DR' + 'OP TABLE x')", "dynamic"],
    ["text that is run", "EXEC('DROP TABLE x')", "destroys"],
    ["a body that deletes", "DO $$ BEGIN DELETE FROM users; END $$", "all_rows"],
  ])("tells %s", (_name, text, harm) => {
    expect(harms(text)).toContain(harm);
  });

  it.each([
    ["addresses and files in strings", "INSERT INTO hosts (ip, file) VALUES ('10.0.0.1', '../README.md')"],
    ["hexadecimal numbers", "SELECT * FROM t WHERE mask = 0xFF"],
    ["SQL in a string", "INSERT INTO notes (body) VALUES ('x; DROP TABLE users; --')"],
    ["key words as names", 'SELECT "drop", "delete" FROM "grant"'],
    ["a condition of a query builder", "SELECT * FROM t WHERE 1=1 AND id = 3"],
    ["an optional filter", "SELECT * FROM t WHERE (:name IS NULL OR name = :name)"],
    ["a false condition", "DELETE FROM t WHERE 1 = 0"],
    ["a transaction", "BEGIN; UPDATE a SET x = 1 WHERE id = 1; COMMIT"],
    ["a table with a function's name", "INSERT INTO sleep (hours) VALUES (8)"],
    ["a trigger's events", "CREATE TRIGGER t AFTER INSERT OR DELETE ON a FOR EACH ROW EXECUTE FUNCTION f()"],
    ["what a foreign key does", "CREATE TABLE a (b int REFERENCES c ON DELETE CASCADE ON UPDATE SET NULL)"],
    ["a lock", "SELECT * FROM q WHERE id = 1 FOR UPDATE"],
  ])("has nothing against %s", (_name, text) => {
    expect(held(text)).toEqual([]);
  });

  it("reads a text in every dialect that could be meant, and in one where that is known", () => {
    const byMysqlOnly = "DELETE FROM users # WHERE id = 1";
    expect(held(byMysqlOnly)).toEqual(["all_rows"]);
    const escaped = "SELECT 'a\\'; DROP TABLE users; -- '";
    expect(held(escaped)).toContain("destroys");
    expect(held(escaped, "mysql")).toEqual([]);
    expect(held(escaped, "postgresql")).toContain("destroys");
    expect(held("SELECT [a'] FROM t; DROP TABLE x --']")).toContain("destroys");
    expect(held("/* /* */ DROP TABLE users -- */")).toContain("destroys");
  });

  it.each([
    ["a string without an end", "SELECT 'x"],
    ["a bracket without an end", "SELECT (1"],
    ["a word that begins no statement", "FROBNICATE users"],
    ["a key word cut by a comment", "DR/**/OP TABLE users"],
    ["a null character", "DROP TABLE x\0"],
    ["a text that is too long", `SELECT ${"1,".repeat(maxStatementCharacters)}1`],
    ["brackets that are too deep", `SELECT ${"(".repeat(100)}1${")".repeat(100)}`],
  ])("cannot read %s", (_name, text) => {
    expect(harms(text)).toEqual(["unreadable"]);
  });

  it("lets tables of tests go, and only those", () => {
    const own = { ...options, scratchTables: ["tmp_*", "import"] };
    expect([...harmsOf("DROP TABLE tmp_users", own)]).toEqual(["changes_schema"]);
    expect([...harmsOf("TRUNCATE import", own)]).toEqual(["changes_schema"]);
    expect([...harmsOf("DROP TABLE tmp_users, users", own)]).toContain("destroys");
    expect([...harmsOf("DELETE FROM users", own)]).toContain("all_rows");
  });
});

describe("a condition", () => {
  const truth = (text: string): string => conditionOf(tokensOf(text, spellings.postgresql)).truth;

  it.each([
    "1=1",
    "true",
    "id = id",
    "t.id = t.id",
    "'a'='a'",
    "NOT false",
    "1",
    "2 > 1",
    "(((1=1)))",
    "x IS NULL OR x IS NOT NULL",
    "a LIKE '%'",
    "EXISTS (SELECT 1)",
    "1 IN (1)",
    "id > 0",
    "NOT (1 = 2)",
    "a = 1 OR 'x' LIKE 'x'",
    "COALESCE(1, 0) = 1",
  ])("holds for every row: %s", (text) => expect(truth(text)).toBe("always"));
  it.each(["1=0", "false", "NOT true", "'a'='b'", "a = 1 AND 1=2", "NULL"])("holds for none: %s", (text) =>
    expect(truth(text)).toBe("never"),
  );
  it.each([
    "id = 1",
    "id = $1",
    "a = b",
    "x BETWEEN 1 AND 2",
    "1=1 AND id = 3",
    "a IS NULL OR b IS NOT NULL",
    "random() < 0.1",
    "EXISTS (SELECT 1 FROM b WHERE b.id = a.id)",
    "user_id > 0",
    "CASE WHEN a AND b THEN 1 ELSE 0 END = 1",
    "name LIKE '%x%'",
  ])("tells rows apart: %s", (text) => expect(truth(text)).toBe("some"));
});

describe("hostile texts", () => {
  const size = 100_000;
  const repeated = (text: string): string => text.repeat(Math.ceil(size / text.length)).slice(0, size);
  it.each([
    "(",
    "'",
    "UNION SELECT ",
    "a=1 OR ",
    "/*",
    "/*!50000 ",
    "\\'",
    "$a$",
    ";",
    "SELECT ",
    "NOT ",
    "(SELECT 1 FROM a),",
    "a.",
    "--",
    "go\n",
    "# \n",
    "CASE ",
  ])("of %j are read in less than 50 ms", async (part) => {
    for (const text of [repeated(part), `DELETE FROM t WHERE ${repeated(part)}`.slice(0, maxStatementCharacters)])
      expect(await cost_ms(() => harmsOf(text, options))).toBeLessThan(50);
  });

  it("is refused as tokens above its size", () => {
    expect(() => tokensOf(repeated("a "), spellings.mysql)).toThrow(NotSql);
  });
});

it.each<readonly [string, Harm]>([
  ["MERGE INTO users u USING (SELECT 1) s ON (1=1) WHEN MATCHED THEN DELETE", "all_rows"],
  ["CREATE POLICY p ON users USING (true)", "privilege"],
  ["CREATE POLICY p ON users FOR INSERT WITH CHECK (true)", "privilege"],
  ["SELECT query_to_xml('select * from t', true, true, '')", "dynamic"],
])("%s: %s", (text, harm) => expect(held(text)).toContain(harm));

it.each([
  "MERGE INTO users u USING staged s ON (u.id = s.id) WHEN MATCHED THEN UPDATE SET name = s.name",
  "CREATE POLICY p ON users USING (user_id = current_user_id())",
])("%s is not held", (text) => expect(held(text)).toEqual([]));
