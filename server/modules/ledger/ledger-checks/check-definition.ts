export type LedgerCheck = {
  name: string;
  needs?: readonly string[];
  /**
   * Returns one row: `count` (checked items), `wrong` (up to five examples) and `all_wrong`, a fingerprint of all
   * failures. `all_wrong` is left out where the examples are complete.
   */
  sql: string;
};

export type CheckScope = {
  readonly isIncremental: boolean;
  toCheckSql(source: string): string;
  readonly prefix: string;
  readonly transactions: string;
  readonly entries: string;
  isNew(id: string): string;
  isTouched(id: string): string;
};
