/** Account deletion removes unsold posts. Sold ones stay for their buyers. */
import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { afterId } from '../../kernel/offset.ts';
import { inPages } from '../archive/index.ts';
import { registerClosing } from '../closing/index.ts';
import { giveBack } from './give-back.ts';
import { removePost } from './service.ts';
import * as store from './store.ts';

const AT_ONCE = 50;

const PUBLISHED: Statement = {
  name: 'posts-closing-published',
  text: `select id from posts where creator_id = $1 and removed_at is null and ${afterId('id', '$3')} order by id limit $2`,
};
/** Files of hidden posts are the evidence for a moderation decision. */
const UNSOLD: Statement = {
  name: 'posts-closing-unsold',
  text: `select p.id from posts p where p.creator_id = $1 and p.removed_at is not null and p.hidden_at is null and p.media_count > 0 and ${afterId('p.id', '$3')}
    and not exists (select from post_purchases b where b.post_id = p.id and b.revoked_at is null) order by p.id limit $2`,
};
const WORDS: Statement = {
  name: 'posts-closing-words',
  text: `update posts set caption = '', tags = '{}' where id in (
    select id from posts where creator_id = $1 and removed_at is not null and media_count = 0 and (caption <> '' or tags <> '{}') limit $2) returning 1 as gone`,
};
const LIKES: Statement = {
  name: 'posts-closing-likes',
  text: `select post_id as id from post_likes where user_id = $1 and ${afterId('post_id', '$3')} order by post_id limit $2`,
};
const PEOPLE: Statement = { name: 'posts-closing-people', text: 'delete from post_people where user_id = $1' };

export function registerPostClosing(ctx: Context): void {
  registerClosing(ctx, 'posts', {
    erase: async ({ db }, leaver, signal) => {
      const each = async (statement: Statement, work: (id: string) => Promise<unknown>) => {
        const page = (last: { id: string } | undefined, size: number) =>
          db.run<{ id: string }>(statement, [leaver.userId, size, last?.id ?? null]);
        for await (const { id } of inPages(page, AT_ONCE)) {
          signal?.throwIfAborted();
          await work(id);
        }
      };
      await each(PUBLISHED, (id) => removePost(ctx, leaver, id));
      await each(UNSOLD, (id) => giveBack(ctx, id));
      while ((await db.run(WORDS, [leaver.userId, AT_ONCE])).length === AT_ONCE) signal?.throwIfAborted();
      await each(LIKES, (id) => store.like(db, id, leaver.userId, false));
      await db.run(PEOPLE, [leaver.userId]);
    },
  });
}
