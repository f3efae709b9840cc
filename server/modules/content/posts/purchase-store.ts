import type { PostType } from '@stagedoor/contract/content/posts.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { createPostsStatement, type PostRow, queryPosts } from './hydrate.ts';
import type { PostPageRange } from './store.ts';

type PurchaseColumns = { transaction_id: string; purchased_at: Date; paid_cents: number };
export type PurchasedRow = PostRow & PurchaseColumns;

const OWN_PURCHASES = 'x.fan_id = $1::uuid and x.revoked_at is null and x.hidden_at is null';
const PURCHASED = createPostsStatement(
  'posts-purchased',
  `select x.post_id as id, x.transaction_id, x.purchased_at, x.price_cents as paid_cents from post_purchases x
    where ${OWN_PURCHASES} and x.transaction_id < $2::uuid
      and ($3::text is null or exists (select from posts q where q.id = x.post_id and q.type = $3))
    order by x.transaction_id desc offset $4 limit $5`,
  { extra: ', page.transaction_id, page.purchased_at, page.paid_cents', order: 'page.transaction_id desc' },
);
const COUNT_PURCHASED: SqlStatement = {
  name: 'posts-count-purchased',
  text: `select count(*) as count from post_purchases x
    where ${OWN_PURCHASES} and ($2::text is null or exists (select from posts q where q.id = x.post_id and q.type = $2))`,
};

export function queryPurchasedPosts(
  db: Executor,
  fanId: string,
  type: PostType | null,
  page: PostPageRange,
): Promise<PurchasedRow[]> {
  return queryPosts<PurchaseColumns>(db, PURCHASED, [fanId, page.before, type, page.skip, page.limit]);
}

export async function countPurchased(db: Executor, fanId: string, type: PostType | null): Promise<number> {
  return (await db.run<{ count: number }>(COUNT_PURCHASED, [fanId, type]))[0]?.count ?? 0;
}

export type Purchase = {
  transactionId: string;
  fanId: string;
  postId: string;
  priceCents: number;
  filesRevision: number;
  netCents: number;
  at: Date;
};

const INSERT_PURCHASE: SqlStatement = {
  name: 'posts-insert-purchase',
  // An existing purchase belongs to a sale that was just refunded and whose event was not handled yet.
  text: `insert into post_purchases (transaction_id, fan_id, post_id, price_cents, net_cents, purchased_at)
    select $1::uuid, $2::uuid, p.id, p.price_cents, $5::bigint, $6::timestamptz from posts p join users u on u.id = p.creator_id
    where p.id = $3::uuid and p.price_cents = $4::bigint and p.files_revision = $7::int and p.removed_at is null and not u.is_blocked
      and not exists (select from post_media pm join media d on d.id = pm.media_id where pm.post_id = p.id and d.taken_down_at is not null)
    on conflict (fan_id, post_id) where revoked_at is null do update set transaction_id = excluded.transaction_id,
      price_cents = excluded.price_cents, net_cents = excluded.net_cents, purchased_at = excluded.purchased_at, hidden_at = null
    returning 1 as made`,
};

/** Returns false if the post is not sold any more at that price and with those files. */
export async function insertPurchase(tx: DbTransaction, purchase: Purchase): Promise<boolean> {
  const { transactionId, fanId, postId, priceCents, filesRevision, netCents, at } = purchase;
  const values = [transactionId, fanId, postId, priceCents, netCents, at, filesRevision];
  return (await tx.run(INSERT_PURCHASE, values)).length > 0;
}

/** Returns false if there is no such purchase. */
export async function hidePurchase(db: Executor, fanId: string, postId: string, at: Date): Promise<boolean> {
  const rows = await db.query
    .updateTable('post_purchases')
    .set((eb) => ({ hidden_at: eb.fn.coalesce('hidden_at', eb.val(at)) }))
    .where('fan_id', '=', fanId)
    .where('post_id', '=', postId)
    .where('revoked_at', 'is', null)
    .returning('transaction_id')
    .execute();
  return rows.length > 0;
}

/** Returns false if there is no such purchase. */
export async function restorePurchase(db: Executor, fanId: string, postId: string): Promise<boolean> {
  const rows = await db.query
    .updateTable('post_purchases')
    .set({ hidden_at: null })
    .where('fan_id', '=', fanId)
    .where('post_id', '=', postId)
    .where('revoked_at', 'is', null)
    .returning('transaction_id')
    .execute();
  return rows.length > 0;
}

export async function revokePurchase(db: Executor, transactionId: string, at: Date): Promise<void> {
  await db.query
    .updateTable('post_purchases')
    .set({ revoked_at: at, net_cents: 0 })
    .where('transaction_id', '=', transactionId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** The amount only decreases, so the order of the events does not matter. */
export async function reducePurchaseNet(db: Executor, transactionId: string, netCents: number): Promise<void> {
  await db.query
    .updateTable('post_purchases')
    .set({ net_cents: netCents })
    .where('transaction_id', '=', transactionId)
    .where('net_cents', '>', netCents)
    .execute();
}
