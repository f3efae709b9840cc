import { type PostDetails, parsePostDetails } from '@stagedoor/contract/content/post-details.ts';
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { beforeIdSql } from '../../../platform/database/pagination.ts';
import { iteratePages, registerExportPart } from '../../identity/data-export/index.ts';
import * as texts from './texts.ts';

type ExportedPost = { id: string; details: Partial<PostDetails> };
const POSTS: SqlStatement = {
  name: 'posts-export',
  text: `select p.id, p.type, p.caption, p.details, p.price_cents / 100.0 as "price", p.like_count as "likes", p.created_at as "createdAt",
      p.edited_at as "editedAt", p.removed_at as "removedAt",
      array(select m.media_id from post_media m where m.post_id = p.id order by m.position) as "mediaIds"
    from posts p where p.creator_id = $1 and ${beforeIdSql('p.id', '$2')} order by p.id desc limit $3`,
};
type BoughtPost = { transactionId: string };
/** Refunded posts are left out, because the user may not read them any more. */
const BOUGHT_POSTS: SqlStatement = {
  name: 'posts-export-bought',
  text: `select b.transaction_id as "transactionId", b.post_id as "postId", u.username as creator,
      case when b.revoked_at is null and p.media_count > 0 then p.caption end as caption, b.price_cents / 100.0 as price,
      b.purchased_at as "purchasedAt", b.revoked_at as "refundedAt"
    from post_purchases b left join posts p on p.id = b.post_id left join users u on u.id = p.creator_id
    where b.fan_id = $1 and ${beforeIdSql('b.transaction_id', '$2')} order by b.transaction_id desc limit $3`,
};
type Like = { postId: string };
const LIKES: SqlStatement = {
  name: 'posts-export-likes',
  text: `select l.post_id as "postId", u.username as creator, l.created_at as "likedAt"
    from post_likes l join posts p on p.id = l.post_id join users u on u.id = p.creator_id
    where l.user_id = $1 and ${beforeIdSql('l.post_id', '$2')} order by l.post_id desc limit $3`,
};

export function registerPostExportParts(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'posts',
    title: 'Posts',
    description: texts.postsExportHint,
    entries: async function* ({ db }, { id }) {
      const rows = iteratePages<ExportedPost>((last, size) =>
        db.run<ExportedPost>(POSTS, [id, last?.id ?? null, size]),
      );
      for await (const { details, ...post } of rows) yield { ...post, ...parsePostDetails(details) };
    },
  });
  registerExportPart(ctx, {
    name: 'bought-posts',
    title: texts.unlockedPosts,
    description: texts.unlockedPostsExportHint,
    entries: ({ db }, { id }) =>
      iteratePages<BoughtPost>((last, size) =>
        db.run<BoughtPost>(BOUGHT_POSTS, [id, last?.transactionId ?? null, size]),
      ),
  });
  registerExportPart(ctx, {
    name: 'likes',
    title: 'Likes',
    description: texts.likedPostsExportHint,
    entries: ({ db }, { id }) =>
      iteratePages<Like>((last, size) => db.run<Like>(LIKES, [id, last?.postId ?? null, size])),
  });
}
