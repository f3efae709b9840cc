import type { TipGoalId, UserId } from '@stagedoor/contract/shared/ids.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';

export type GoalRow = {
  id: TipGoalId;
  creator_id: UserId;
  title: string;
  target_cents: number;
  started_at: Date;
  ends_at: Date | null;
  closed_at: Date | null;
};

const COLUMNS = 'id, creator_id, title, target_cents, started_at, ends_at, closed_at';
const OPEN: SqlStatement = {
  name: 'tip-goals-open',
  text: `select ${COLUMNS} from tip_goals where creator_id = $1 and closed_at is null`,
};
const ONE: SqlStatement = { name: 'tip-goals-one', text: `select ${COLUMNS} from tip_goals where id = $1` };
const INSERT: SqlStatement = {
  name: 'tip-goals-insert',
  text: `insert into tip_goals (id, creator_id, title, target_cents, started_at, ends_at) values ($1, $2, $3, $4, $5, $6)
    on conflict (creator_id) where closed_at is null do nothing returning id`,
};
const CLOSE: SqlStatement = {
  name: 'tip-goals-close',
  text: 'update tip_goals set closed_at = $3 where id = $1 and creator_id = $2 and closed_at is null returning id',
};
const ERASE: SqlStatement = {
  name: 'tip-goals-erase',
  text: `update tip_goals set title = '', closed_at = coalesce(closed_at, $2) where creator_id = $1 and (title <> '' or closed_at is null)
    returning id`,
};

/** Includes a goal whose end date has passed. */
export async function findOpenGoal(db: Executor, creatorId: string): Promise<GoalRow | undefined> {
  return (await db.run<GoalRow>(OPEN, [creatorId]))[0];
}

export async function findGoal(db: Executor, id: string): Promise<GoalRow | undefined> {
  return (await db.run<GoalRow>(ONE, [id]))[0];
}

/** Returns false if another goal is on the profile. */
export async function insertGoal(
  db: Executor,
  goal: Omit<GoalRow, 'closed_at' | 'id' | 'creator_id'> & { id: string; creator_id: string },
): Promise<boolean> {
  const { id, creator_id, title, target_cents, started_at, ends_at } = goal;
  return (await db.run(INSERT, [id, creator_id, title, target_cents, started_at, ends_at])).length > 0;
}

/** Returns false if the goal is not an open goal of that creator. */
export async function closeGoal(db: Executor, id: string, creatorId: string, at: Date): Promise<boolean> {
  return (await db.run(CLOSE, [id, creatorId, at])).length > 0;
}

/** Ends all goals of a creator and erases their titles. Returns the ids of the changed ones. */
export async function eraseGoals(db: Executor, creatorId: string, at: Date): Promise<string[]> {
  return (await db.run<{ id: string }>(ERASE, [creatorId, at])).map(({ id }) => id);
}
