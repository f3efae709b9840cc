import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import { searchLedger } from '@stagedoor/contract/ledger-desk.ts';
import type { readDeskCall, readDeskPost } from '@stagedoor/contract/lookup-things.ts';
import { operatorMay } from '@stagedoor/contract/operator-rights.ts';
import type { Context } from '../../kernel/context.ts';
import type { Actor } from '../../kernel/session.ts';
import { noteAct } from '../audit/index.ts';
import { findDeskCall } from '../calls/index.ts';
import { casesOfThing, knownCopies } from '../cases/index.ts';
import { isFree } from '../entitlements/index.ts';
import { findAnyPost, soldOf, standingOfPost, titleOf } from '../posts/index.ts';
import { findSale } from '../sales/index.ts';

type Post = AnswerOf<typeof readDeskPost>;
type Call = AnswerOf<typeof readDeskCall>;
const SHOWN = 20;

function stateOf({ hiddenAt, removedAt, deletedAt }: Awaited<ReturnType<typeof standingOfPost>>) {
  const since = (at: Date | null) => at?.toISOString() ?? null;
  if (deletedAt !== null) return { state: 'removed' as const, stateSince: since(deletedAt) };
  if (hiddenAt !== null) return { state: 'hidden' as const, stateSince: since(hiddenAt) };
  return removedAt === null
    ? { state: 'published' as const, stateSince: null }
    : { state: 'removed' as const, stateSince: since(removedAt) };
}

/** Throws NOT_FOUND. */
export async function viewPost(ctx: Context, actor: Actor, id: string): Promise<Post> {
  const { db } = ctx;
  const post = await findAnyPost(db, id);
  if (!post) throw new AppError('NOT_FOUND');
  const mediaIds = post.media.map((media) => media.id);
  const [standing, sold, copies, around] = await Promise.all([
    standingOfPost(db, id),
    soldOf(db, id),
    knownCopies(db, mediaIds),
    casesOfThing(ctx, actor, 'post', id, SHOWN),
  ]);
  return {
    id: post.id,
    title: titleOf(post.caption),
    caption: post.caption,
    type: post.type,
    files: post.media_count,
    price: isFree(post.price_cents) ? null : toUsd(post.price_cents),
    at: post.created_at.toISOString(),
    ...stateOf(standing),
    creator: { id: post.creator_id, username: post.username, name: post.name, type: 'creator' },
    likes: post.like_count,
    tags: post.tags,
    people: post.people.map(({ username }) => username),
    copies: copies.count,
    copiesOf: copies.of,
    sales: {
      ...{ count: sold.count, amount: toUsd(sold.cents) },
      ...{ refunds: sold.refunds, refunded: toUsd(sold.refundedCents) },
    },
    ...around,
  };
}

/** Throws NOT_FOUND. Each view is logged. */
export async function viewCall(ctx: Context, actor: Actor, id: string): Promise<Call> {
  const { db } = ctx;
  const found = await findDeskCall(ctx, id);
  if (!found) throw new AppError('NOT_FOUND');
  const { view, timeline, saleId } = found;
  const mayMoney = operatorMay(actor.roles ?? [], searchLedger);
  const [sale, { cases }] = await Promise.all([
    mayMoney && saleId !== null ? findSale(db, saleId) : undefined,
    casesOfThing(ctx, actor, 'call', id, SHOWN),
  ]);
  await db.transaction((tx) =>
    noteAct(ctx, tx, { operatorId: actor.userId, act: 'call.look', subjectKind: 'call', subjectId: id }),
  );
  return {
    ...view,
    timeline: timeline.map(({ at, moment, by, talkedMs }) => ({ at: at.toISOString(), moment, by, talkedMs })),
    givenBack: mayMoney ? toUsd(sale?.reversedCents ?? 0) : null,
    transactionId: mayMoney ? saleId : null,
    cases,
  };
}
