import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { DbTransaction, SqlStatement } from './db.ts';

const SAVE: SqlStatement = { name: 'savepoint', text: 'savepoint attempt' };
const RELEASE: SqlStatement = { name: 'savepoint-release', text: 'release savepoint attempt' };
const ROLL_BACK: SqlStatement = { name: 'savepoint-roll-back', text: 'rollback to savepoint attempt' };

/**
 * Runs `work`, which may be refused without the rest of the transaction. Returns the refusal, after everything that `work`
 * did was undone. Other errors are thrown.
 */
export async function attemptInSavepoint(tx: DbTransaction, work: () => Promise<void>): Promise<AppError | undefined> {
  await tx.run(SAVE, []);
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await tx.run(ROLL_BACK, []);
    return error;
  }
  await tx.run(RELEASE, []);
  return undefined;
}
