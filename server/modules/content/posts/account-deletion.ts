/** Account deletion removes unsold posts. Sold ones stay for their buyers. */
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { afterIdSql } from '../../../platform/database/pagination.ts';
import { registerDeletionStep } from '../../identity/account-deletion/index.ts';
import { iteratePages } from '../../identity/data-export/index.ts';
import { releaseFiles } from './release-files.ts';
import { removePost } from './service.ts';
import * as store from './store.ts';

const BATCH_SIZE = 50;

const PUBLISHED: SqlStatement = {
  name: 'posts-deletion-published',
  text: `select id from posts where creator_id = $1 and removed_at is null and ${afterIdSql('id', '$3')} order by id limit $2`,
};
/** Files of hidden posts are the evidence for a moderation decision. */
const UNSOLD: SqlStatement = {
  name: 'posts-deletion-unsold',
  text: `select p.id from posts p where p.creator_id = $1 and p.removed_at is not null and p.hidden_at is null and p.media_count > 0 and ${afterIdSql('p.id', '$3')}
    and not exists (select from post_purchases b where b.post_id = p.id and b.revoked_at is null) order by p.id limit $2`,
};
const CLEAR_TEXTS: SqlStatement = {
  name: 'posts-deletion-texts',
  text: `update posts set caption = '', details = '{}' where id in (
    select id from posts where creator_id = $1 and removed_at is not null and media_count = 0 and (caption <> '' or details <> '{}') limit $2) returning 1 as gone`,
};
const LIKES: SqlStatement = {
  name: 'posts-deletion-likes',
  text: `select post_id as id from post_likes where user_id = $1 and ${afterIdSql('post_id', '$3')} order by post_id limit $2`,
};
const DELETE_TAGGED_USERS: SqlStatement = {
  name: 'posts-deletion-people',
  text: 'delete from post_people where user_id = $1',
};

export function registerPostDeletionStep(ctx: Context): void {
  registerDeletionStep(ctx, 'posts', {
    erase: async ({ db }, leavingUser, signal) => {
      const runForEachId = async (statement: SqlStatement, work: (id: string) => Promise<unknown>) => {
        const readPage = (last: { id: string } | undefined, size: number) =>
          db.run<{ id: string }>(statement, [leavingUser.userId, size, last?.id ?? null]);
        for await (const { id } of iteratePages(readPage, BATCH_SIZE)) {
          signal?.throwIfAborted();
          await work(id);
        }
      };
      await runForEachId(PUBLISHED, (id) => removePost(ctx, leavingUser, id));
      await runForEachId(UNSOLD, (id) => releaseFiles(ctx, id));
      while ((await db.run(CLEAR_TEXTS, [leavingUser.userId, BATCH_SIZE])).length === BATCH_SIZE)
        signal?.throwIfAborted();
      await runForEachId(LIKES, (id) => store.like(db, id, leavingUser.userId, false));
      await db.run(DELETE_TAGGED_USERS, [leavingUser.userId]);
    },
  });
}
