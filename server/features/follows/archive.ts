/**
 * The export contains the creators that a user follows, but not their followers, because those are other users' data.
 */
import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { afterId } from '../../kernel/offset.ts';
import { inPages, registerArchivePart } from '../archive/index.ts';

type Follow = { creatorId: string };
const FOLLOWS: Statement = {
  name: 'follows-archive',
  text: `select f.creator_id as "creatorId", u.username, u.name, f.created_at as since from follows f join users u on u.id = f.creator_id
    where f.fan_id = $1 and ${afterId('f.creator_id', '$2')} order by f.creator_id limit $3`,
};

export function registerFollowPart(ctx: Context): void {
  registerArchivePart(ctx, {
    name: 'follows',
    title: 'Following',
    lead: 'Creators you follow.',
    entries: ({ db }, { id }) =>
      inPages<Follow>((last, size) => db.run<Follow>(FOLLOWS, [id, last?.creatorId ?? null, size])),
  });
}
