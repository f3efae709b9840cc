import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { registerDeletionStep } from '../../identity/account-deletion/index.ts';
import { updateCreatorRow } from '../../identity/accounts/index.ts';
import './events.ts';
import { replaceAvatar, replaceCover } from './service.ts';

const CLEAR_NAMES: SqlStatement = {
  name: 'profiles-deletion-names',
  text: `update name_reviews set name = '', verified_name = '', decision = coalesce(decision, 'withdrawn'), decided_at = coalesce(decided_at, $2)
    where creator_id = $1 and (name <> '' or verified_name <> '')`,
};

const DELETE_EMBEDS: SqlStatement = {
  name: 'profiles-deletion-embeds',
  text: 'delete from embed_settings where creator_id = $1',
};

export function registerProfileDeletionStep(ctx: Context): void {
  registerDeletionStep(ctx, 'profiles', {
    erase: async ({ db, clock }, { userId, type, username }) => {
      await db.transaction(async (tx) => {
        await replaceAvatar(ctx, tx, userId, null);
        if (type !== 'creator') return;
        await replaceCover(ctx, tx, userId, null);
        await updateCreatorRow(tx, userId, {
          ...{ craft: '', city: '', bio: '', category: null, links: '[]', custom_links: '[]', call_rate_cents: null },
          ...{ is_verified: false, verified_name: null },
        });
        await tx.run(DELETE_EMBEDS, [userId]);
        await tx.run(CLEAR_NAMES, [userId, clock.now()]);
        await tx.emit('profile.changed', { creatorId: userId, username });
      });
    },
  });
}
