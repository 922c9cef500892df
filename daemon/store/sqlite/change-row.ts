import type Database from "better-sqlite3";

type Cell = string | number | null;

/**
 * Updates of some columns of a row, each combination prepared once. Columns are names of the code's own: one that is not
 * among `columns` throws, and none comes from outside.
 *
 * @param where the condition, with a `?` for each of `places`
 */
export const changeRow = <Column extends string>(
  db: Database.Database,
  table: string,
  columns: readonly Column[],
  where: string,
): ((change: Partial<Record<Column, Cell>>, ...places: readonly Cell[]) => number) => {
  const prepared = new Map<string, Database.Statement>();
  const prepare = (named: readonly string[]): Database.Statement => {
    const unknown = named.find((column) => !columns.includes(column as Column));
    if (unknown !== undefined) throw new TypeError("a column that does not change");
    return db.prepare(`UPDATE ${table} SET ${named.map((column) => `${column} = ?`).join(", ")} WHERE ${where}`);
  };
  return (change, ...places) => {
    const named = Object.keys(change);
    const key = named.join();
    let statement = prepared.get(key);
    if (statement === undefined) {
      statement = prepare(named);
      prepared.set(key, statement);
    }
    return statement.run(...(Object.values(change) as Cell[]), ...places).changes;
  };
};
