/** Account deletion: erases all media except those that were bought and those that a post still contains. */
import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { afterId } from '../../kernel/offset.ts';
import { inPages } from '../archive/index.ts';
import { registerClosing } from '../closing/index.ts';
import { usesOf } from './library/uses.ts';
import { eraseMedia } from './upkeep/deleted.ts';

const ALL: Statement = {
  name: 'media-closing',
  text: `select id from media where owner_id = $1 and ${afterId('id', '$2')} order by id limit $3`,
};
const RESTING: Statement = {
  name: 'media-closing-resting',
  text: 'select id from media_deleted where owner_id = $1 limit $2',
};
const SETTINGS: Statement = {
  name: 'media-closing-settings',
  text: 'delete from media_settings where owner_id = $1',
};
const POSITIONS: Statement = {
  name: 'media-closing-positions',
  text: 'delete from media_positions where user_id = $1',
};
const AT_ONCE = 100;

export function registerMediaClosing(ctx: Context): void {
  registerClosing(ctx, 'media', {
    erase: async ({ db }, { userId }, signal) => {
      const eraseOne = (mediaId: string) => db.transaction((tx) => eraseMedia(ctx, tx, { mediaId }));
      const page = (last: { id: string } | undefined, size: number) =>
        db.run<{ id: string }>(ALL, [userId, last?.id ?? null, size]);
      for await (const { id } of inPages(page, AT_ONCE)) {
        signal?.throwIfAborted();
        // The posts module has already released the files that it can. Files of a hidden post stay with it.
        const isHeld = (await usesOf(ctx, id)).some(({ kind, buyerCount }) => kind === 'post' || buyerCount > 0);
        if (!isHeld) await eraseOne(id);
      }
      for (;;) {
        const rows = await db.run<{ id: string }>(RESTING, [userId, AT_ONCE]);
        for (const { id } of rows) {
          signal?.throwIfAborted();
          await eraseOne(id);
        }
        if (rows.length < AT_ONCE) break;
      }
      for (const statement of [SETTINGS, POSITIONS]) await db.run(statement, [userId]);
    },
  });
}
