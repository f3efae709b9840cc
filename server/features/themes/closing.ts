import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { registerClosing } from '../closing/index.ts';
import './events.ts';

const ERASE: Statement = { name: 'themes-erase', text: 'delete from creator_themes where creator_id = $1' };

export function registerThemeClosing(ctx: Context): void {
  registerClosing(ctx, 'themes', {
    erase: async ({ db }, { userId }) => {
      await db.transaction(async (tx) => {
        await tx.run(ERASE, [userId]);
        await tx.emit('theme.published', { creatorId: userId });
      });
    },
  });
}
