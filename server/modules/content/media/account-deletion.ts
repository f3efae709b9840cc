/** Account deletion: erases all media except those that were bought and those that a post still contains. */
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { afterIdSql } from '../../../platform/database/pagination.ts';
import { registerDeletionStep } from '../../identity/account-deletion/index.ts';
import { iteratePages } from '../../identity/data-export/index.ts';
import { listMediaUses } from './library/uses.ts';
import { eraseMedia } from './maintenance/deleted.ts';

const ALL: SqlStatement = {
  name: 'media-deletion',
  text: `select id from media where owner_id = $1 and ${afterIdSql('id', '$2')} order by id limit $3`,
};
const DELETED: SqlStatement = {
  name: 'media-deletion-retained',
  text: 'select id from deleted_media where owner_id = $1 limit $2',
};
const SETTINGS: SqlStatement = {
  name: 'media-deletion-settings',
  text: 'delete from media_settings where owner_id = $1',
};
const POSITIONS: SqlStatement = {
  name: 'media-deletion-positions',
  text: 'delete from media_positions where user_id = $1',
};
const BATCH_SIZE = 100;

export function registerMediaDeletionStep(ctx: Context): void {
  registerDeletionStep(ctx, 'media', {
    erase: async ({ db }, { userId }, signal) => {
      const eraseOne = (mediaId: string) => db.transaction((tx) => eraseMedia(ctx, tx, { mediaId }));
      const page = (last: { id: string } | undefined, size: number) =>
        db.run<{ id: string }>(ALL, [userId, last?.id ?? null, size]);
      for await (const { id } of iteratePages(page, BATCH_SIZE)) {
        signal?.throwIfAborted();
        // The posts module has already released the files that it can. Files of a hidden post stay with it.
        const isInUse = (await listMediaUses(ctx, id)).some(
          ({ kind, buyerCount }) => kind === 'post' || buyerCount > 0,
        );
        if (!isInUse) await eraseOne(id);
      }
      for (;;) {
        const rows = await db.run<{ id: string }>(DELETED, [userId, BATCH_SIZE]);
        for (const { id } of rows) {
          signal?.throwIfAborted();
          await eraseOne(id);
        }
        if (rows.length < BATCH_SIZE) break;
      }
      for (const statement of [SETTINGS, POSITIONS]) await db.run(statement, [userId]);
    },
  });
}
