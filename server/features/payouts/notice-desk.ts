import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { payoutId } from '@stagedoor/contract/atoms/ids.ts';
import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, BodyOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import {
  type decidePayoutNotice,
  type listPayoutNotices,
  NOTICE_DECISIONS,
  NOTICE_STATES,
  type payoutNotice,
} from '@stagedoor/contract/payout-desk.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import { pageOf, skipOf } from '../../kernel/offset.ts';
import { findPeople } from '../accounts/index.ts';
import { noteAct } from '../audit/index.ts';
import * as rows from './notice-store.ts';
import { noticeJob } from './notices.ts';
import { numberOf } from './present.ts';

type View = z.input<typeof payoutNotice>;

async function present({ db }: Pick<Context, 'db'>, notices: readonly rows.NoticeRow[]): Promise<View[]> {
  const [payouts, decisions] = await Promise.all([
    rows.payoutsNamed(
      db,
      notices.flatMap(({ payout_ref: ref }) => payoutId.safeParse(ref).data ?? []),
    ),
    rows.decisionsOf(
      db,
      notices.map(({ id }) => id),
    ),
  ]);
  const people = await findPeople(db, [
    ...payouts.map(({ user_id: id }) => id),
    ...decisions.map(({ actor_id: id }) => id),
  ]);
  return notices.map((notice) => {
    const named = payouts.find(({ id }) => id === notice.payout_ref);
    const person = named && people.get(named.user_id);
    return {
      id: notice.id,
      eventType: notice.event_type,
      receivedAt: notice.received_at.toISOString(),
      receivedCount: notice.received_count,
      state: z.parse(z.enum(NOTICE_STATES), notice.state),
      reason: notice.reason,
      batchRef: notice.batch_ref,
      itemRef: notice.item_ref,
      payout:
        named && person
          ? {
              id: z.parse(payoutId, named.id),
              number: numberOf(named),
              net: toUsd(named.amount_cents - named.fee_cents),
              person: { username: person.username, name: person.name },
            }
          : null,
      decisions: decisions
        .filter(({ notice_id: of }) => of === notice.id)
        .map(({ decision, ground, decided_at: at, actor_id: actorId }) => ({
          decision: z.parse(z.enum(NOTICE_DECISIONS), decision),
          ground,
          decidedAt: at.toISOString(),
          operator: people.get(actorId)?.username ?? actorId,
        })),
    };
  });
}

export async function viewNotices(
  ctx: Pick<Context, 'db'>,
  { state, limit, offset }: QueryOf<typeof listPayoutNotices>,
): Promise<AnswerOf<typeof listPayoutNotices>> {
  const skip = skipOf(offset);
  const { found, total } = await rows.listNotices(ctx.db, state, { limit, skip });
  return pageOf(await present(ctx, found), { limit, skip, total });
}

/** Throws NOT_FOUND, CONFLICT (it is not quarantined, or no longer). */
export async function decideNotice(
  ctx: Pick<Context, 'clock' | 'db' | 'jobs'>,
  operatorId: string,
  id: string,
  { decision, ground }: BodyOf<typeof decidePayoutNotice>,
): Promise<View> {
  const row = await ctx.db.transaction(async (tx) => {
    const notice = await rows.lockNotice(tx, id);
    if (!notice) throw new AppError('NOT_FOUND');
    if (notice.state !== 'quarantined')
      throw new AppError('CONFLICT', { message: 'Someone else already decided this.' });
    await rows.keepDecision(tx, { noticeId: id, actorId: operatorId, decision, ground, at: ctx.clock.now() });
    const isAgain = decision === 'retry';
    const decided = await rows.moveNotice(tx, id, {
      from: 'quarantined',
      to: isAgain ? 'received' : 'dismissed',
      reason: ground,
    });
    if (isAgain) await ctx.jobs.add(tx, noticeJob, { noticeId: id }, { key: `payouts.notice:${id}` });
    await noteAct(ctx, tx, {
      operatorId,
      act: `payoutNotice.${decision}`,
      subjectKind: 'payoutNotice',
      subjectId: id,
      facts: { ground },
    });
    return decided;
  });
  const [view] = row ? await present(ctx, [row]) : [];
  if (!view) throw new Error('a row that is locked has its view');
  return view;
}
