import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { beforeId } from '../../kernel/offset.ts';
import { inPages, registerArchivePart } from '../archive/index.ts';

type Post = { id: string; caption: string; mediaIds: string[] };
const POSTS: Statement = {
  name: 'posts-archive',
  text: `select p.id, p.type, p.caption, p.tags, p.price_cents / 100.0 as "price", p.like_count as "likes", p.created_at as "createdAt",
      p.edited_at as "editedAt", p.removed_at as "removedAt",
      array(select m.media_id from post_media m where m.post_id = p.id order by m.position) as "mediaIds"
    from posts p where p.creator_id = $1 and ${beforeId('p.id', '$2')} order by p.id desc limit $3`,
};
type Bought = { transactionId: string };
/** Refunded posts are left out, because the user may not read them any more. */
const BOUGHT: Statement = {
  name: 'posts-archive-bought',
  text: `select b.transaction_id as "transactionId", b.post_id as "postId", u.username as creator,
      case when b.revoked_at is null and p.media_count > 0 then p.caption end as caption, b.price_cents / 100.0 as price,
      b.purchased_at as "purchasedAt", b.revoked_at as "givenBackAt"
    from post_purchases b left join posts p on p.id = b.post_id left join users u on u.id = p.creator_id
    where b.fan_id = $1 and ${beforeId('b.transaction_id', '$2')} order by b.transaction_id desc limit $3`,
};
type Like = { postId: string };
const LIKES: Statement = {
  name: 'posts-archive-likes',
  text: `select l.post_id as "postId", u.username as creator, l.created_at as "likedAt"
    from post_likes l join posts p on p.id = l.post_id join users u on u.id = p.creator_id
    where l.user_id = $1 and ${beforeId('l.post_id', '$2')} order by l.post_id desc limit $3`,
};

export function registerPostParts(ctx: Context): void {
  registerArchivePart(ctx, {
    name: 'posts',
    title: 'Posts',
    lead: 'Your posts, including deleted ones.',
    entries: ({ db }, { id }) => inPages<Post>((last, size) => db.run<Post>(POSTS, [id, last?.id ?? null, size])),
  });
  registerArchivePart(ctx, {
    name: 'bought-posts',
    title: 'Unlocked posts',
    lead: 'Posts you unlocked and what you paid.',
    entries: ({ db }, { id }) =>
      inPages<Bought>((last, size) => db.run<Bought>(BOUGHT, [id, last?.transactionId ?? null, size])),
  });
  registerArchivePart(ctx, {
    name: 'likes',
    title: 'Likes',
    lead: 'Posts you liked.',
    entries: ({ db }, { id }) => inPages<Like>((last, size) => db.run<Like>(LIKES, [id, last?.postId ?? null, size])),
  });
}
