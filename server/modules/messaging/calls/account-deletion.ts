import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { registerDeletionStep } from '../../identity/account-deletion/index.ts';
import * as texts from './texts.ts';

const FIND_OPEN: SqlStatement = {
  name: 'calls-deletion-open',
  text: 'select 1 as open from calls where (fan_id = $1 or creator_id = $1) and ended_at is null',
};
const DELETE_SETTINGS: SqlStatement = {
  name: 'calls-deletion-settings',
  text: 'delete from call_settings where creator_id = $1',
};

export function registerCallDeletion(ctx: Context): void {
  registerDeletionStep(ctx, 'calls', {
    listObstacles: async (db, { userId }) =>
      (await db.run(FIND_OPEN, [userId])).length > 0 ? [texts.endCallFirst] : [],
    erase: async ({ db }, { userId }) => {
      await db.run(DELETE_SETTINGS, [userId]);
    },
  });
}
