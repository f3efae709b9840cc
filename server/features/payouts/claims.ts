/**
 * A failed or returned payout gives the money back to the user. For a large payout two operators must report this
 * independently. For any other one, the operator who approved it alone cannot also report it alone.
 */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { BodyOf } from '@stagedoor/contract/atoms/route.ts';
import type { DeskPayout, stepPayout as stepRoute } from '@stagedoor/contract/payout-desk.ts';
import type { Selectable } from 'kysely';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Tables, Transaction } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { noteAct } from '../audit/index.ts';
import { newcomers, requireCounts } from '../operators/index.ts';
import { isAlone, requireAnothers } from './alone.ts';
import { approvalsNeeded, payoutSettings } from './settings.ts';
import * as store from './store.ts';
import { approvalsOf } from './transfer-store.ts';

const COUNTS_MS = 7 * 24 * 60 * 60_000;
type Claim = Selectable<Tables['payout_claims']>;

const sinceOf = (now: Date) => new Date(now.getTime() - COUNTS_MS);

const standing = (db: Executor, since: Date) =>
  db.query
    .selectFrom('payout_claims as c')
    .innerJoin('payouts as p', 'p.id', 'c.payout_id')
    .where('c.at', '>', since)
    .whereRef('p.sent_id', '=', 'c.sent_id')
    .where((row) =>
      row.or([
        row.and({ 'c.has_arrived': true, 'p.status': 'transfered' }),
        row.and({ 'c.has_arrived': false, 'p.status': 'approved' }),
      ]),
    );

export async function claimsOf(ctx: Pick<Context, 'clock' | 'db'>, ids: readonly string[]): Promise<Claim[]> {
  if (ids.length === 0) return [];
  return standing(ctx.db, sinceOf(ctx.clock.now()))
    .selectAll('c')
    .where('c.payout_id', 'in', ids)
    .orderBy('c.id')
    .execute();
}

export async function claimedIds({ db, clock }: Pick<Context, 'clock' | 'db'>): Promise<string[]> {
  const rows = await standing(db, sinceOf(clock.now())).select('c.payout_id as id').distinct().execute();
  return rows.map(({ id }) => id);
}

export const presentClaim = ({ step, ground, at }: Claim, operator: string): DeskPayout['claim'] => ({
  step: z.parse(z.enum(['failed', 'returned']), step),
  operator,
  ground,
  until: new Date(at.getTime() + COUNTS_MS).toISOString(),
});

export async function countToConfirm(db: Executor, now: Date): Promise<{ count: number; since: Date | null }> {
  return standing(db, sinceOf(now))
    .select((row) => [
      row.fn.count<number>('c.payout_id').distinct().as('count'),
      row.fn.min<Date | null>('c.at').as('since'),
    ])
    .executeTakeFirstOrThrow();
}

type Word = BodyOf<typeof stepRoute> & {
  /** Whether PayPal is queried next and its response is booked. Then it does not matter who approved the payout. */
  isAsked: boolean;
};

/** Returns whether enough operators reported or approved. Operators whose roles are new do not count. */
async function isEnough(
  { clock }: Pick<Context, 'clock'>,
  tx: Transaction,
  payout: store.PayoutRow,
  { sayers, isAsked }: { sayers: readonly string[]; isAsked: boolean },
): Promise<boolean> {
  const areNew = await newcomers(tx, clock.now());
  const people = (ids: readonly string[]) => new Set(ids.filter((id) => !areNew.has(id))).size;
  if (approvalsNeeded(payout, await payoutSettings(tx)) > 1 && people(sayers) < 2) return false;
  if (isAsked) return true;
  const passed = await approvalsOf(tx, [payout.id]);
  return people([...sayers, ...passed.map(({ operator_id: by }) => by)]) > 1;
}

type Heard = 'enough' | 'alone' | 'waits';

async function claimIn(
  ctx: Context,
  tx: Transaction,
  operatorId: string,
  id: string,
  { step, ground, code, isAsked }: Word,
): Promise<Heard> {
  const payout = await store.lockPayout(tx, id);
  if (!payout || payout.transfer === 'failed') return 'enough';
  // Without this check, a payout sent before the booking could be booked by a single operator.
  if (payout.sent_id === null) throw new AppError('CONFLICT', { message: 'This payout hasn’t been sent.' });
  requireAnothers(payout, operatorId);
  const said = await standing(tx, sinceOf(ctx.clock.now())).selectAll('c').where('c.payout_id', '=', id).execute();
  const sayers = [operatorId, ...said.map(({ operator_id: by }) => by)];
  if (await isEnough(ctx, tx, payout, { sayers, isAsked })) return 'enough';
  if (await isAlone(ctx, tx, operatorId)) return 'alone';
  await requireCounts(ctx, tx, operatorId);
  if (said.some(({ operator_id: by }) => by === operatorId))
    throw new AppError('CONFLICT', { message: 'You already reported this. Another operator must confirm it.' });
  await tx.query
    .insertInto('payout_claims')
    .values({
      id: newId(ctx.clock),
      payout_id: id,
      sent_id: payout.sent_id,
      has_arrived: payout.status === 'transfered',
      operator_id: operatorId,
      step,
      ground,
      at: ctx.clock.now(),
    })
    .execute();
  const facts = { ground, code: code ?? null, told: step, cents: payout.amount_cents, person: payout.user_id };
  await noteAct(ctx, tx, { operatorId, act: 'payout.claim', subjectKind: 'payout', subjectId: id, facts });
  return 'waits';
}

/**
 * Returns whether enough operators reported that a request failed or came back: two above the limit, otherwise one who
 * did not approve it alone. Stores the first report, which waits some days for another. Throws CONFLICT when the same
 * operator reports twice, or when their roles are too new.
 */
export async function hear(ctx: Context, operatorId: string, id: string, body: Word): Promise<Heard> {
  if (body.step !== 'failed' && body.step !== 'returned') return 'enough';
  return ctx.db.transaction((tx) => claimIn(ctx, tx, operatorId, id, body));
}
