import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { changeCreator } from '../accounts/index.ts';
import { registerClosing } from '../closing/index.ts';
import './events.ts';
import { replaceAvatar, replaceCover } from './service.ts';

const NAMES: Statement = {
  name: 'profiles-closing-names',
  text: `update name_reviews set name = '', verified_name = '', decision = coalesce(decision, 'withdrawn'), decided_at = coalesce(decided_at, $2)
    where creator_id = $1 and (name <> '' or verified_name <> '')`,
};

const EMBEDS: Statement = {
  name: 'profiles-closing-embeds',
  text: 'delete from embed_settings where creator_id = $1',
};

export function registerProfileClosing(ctx: Context): void {
  registerClosing(ctx, 'profiles', {
    erase: async ({ db, clock }, { userId, type, username }) => {
      await db.transaction(async (tx) => {
        await replaceAvatar(ctx, tx, userId, null);
        if (type !== 'creator') return;
        await replaceCover(ctx, tx, userId, null);
        await changeCreator(tx, userId, {
          ...{ craft: '', city: '', bio: '', category: null, links: '[]', own_links: '[]', call_rate_cents: null },
          ...{ is_verified: false, verified_name: null },
        });
        await tx.run(EMBEDS, [userId]);
        await tx.run(NAMES, [userId, clock.now()]);
        await tx.emit('profile.changed', { creatorId: userId, username });
      });
    },
  });
}
