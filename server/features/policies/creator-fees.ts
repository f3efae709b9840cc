import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { userId } from '@stagedoor/contract/atoms/ids.ts';
import type { AnswerOf, BodyOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import type * as contract from '@stagedoor/contract/fees-desk.ts';
import { type OwnFee, ownFeeProblem } from '@stagedoor/contract/fees-desk.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';
import { pageOf, skipOf } from '../../kernel/offset.ts';
import { findNamed, findPeople, findUser } from '../accounts/index.ts';
import { noteAct } from '../audit/index.ts';
import { type CreatorFee, effectiveFee, lockFees, ownFeeOf, ownFees, setCreatorFee } from '../sales/index.ts';
import { CHANGED_MEANWHILE, feesOf } from './fees.ts';

const DAY_MS = 24 * 60 * 60_000;
const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** Days are in UTC. The last day contains the last moment of the offer. */
function present(fee: CreatorFee | undefined): OwnFee {
  const { generalPercent = null, offerPercent = null, offerFrom = null, offerUntil = null } = fee ?? {};
  if (offerUntil === null || offerPercent === null) return { generalFee: generalPercent, offer: null };
  return {
    generalFee: generalPercent,
    offer: {
      fee: offerPercent,
      firstDay: offerFrom && dayOf(offerFrom),
      lastDay: dayOf(new Date(offerUntil.getTime() - 1)),
    },
  };
}

async function presentAll(
  { clock }: Pick<Context, 'clock'>,
  db: Executor,
  found: readonly { creatorId: string; fee: CreatorFee | undefined }[],
) {
  const people = await findPeople(
    db,
    found.map(({ creatorId }) => creatorId),
  );
  return Promise.all(
    found.map(async ({ creatorId, fee }) => {
      const person = people.get(creatorId);
      if (!person) throw new Error('who has a fee has an account');
      return {
        creator: { id: z.parse(userId, person.id), username: person.username, name: person.name },
        own: present(fee),
        effectiveFee: (await effectiveFee(db, creatorId, clock.now())).percent,
      };
    }),
  );
}

export async function viewCreatorFees(
  ctx: Pick<Context, 'clock' | 'db'>,
  { limit, offset, search }: QueryOf<typeof contract.listCreatorFees>,
): Promise<AnswerOf<typeof contract.listCreatorFees>> {
  const skip = skipOf(offset);
  if (search !== undefined) {
    const user = await findNamed(ctx.db, search.replace(/^@/, ''));
    const found = user?.type === 'creator' && skip === 0 ? [user.id] : [];
    const fees = await Promise.all(found.map(async (id) => ({ creatorId: id, fee: await ownFeeOf(ctx.db, id) })));
    return pageOf(await presentAll(ctx, ctx.db, fees), { limit, skip, total: found.length });
  }
  const { fees, total } = await ownFees(ctx.db, { limit, skip });
  const found = fees.map((fee) => ({ creatorId: fee.creatorId, fee }));
  return pageOf(await presentAll(ctx, ctx.db, found), { limit, skip, total });
}

const isSame = (one: OwnFee, other: OwnFee) =>
  one.generalFee === other.generalFee &&
  one.offer?.fee === other.offer?.fee &&
  one.offer?.firstDay === other.offer?.firstDay &&
  one.offer?.lastDay === other.offer?.lastDay;

const factsOf = ({ generalFee, offer }: OwnFee, after: '' | 'Before') => ({
  [`ownFee${after}`]: generalFee,
  [`ownOffer${after}`]: offer?.fee ?? null,
  [`offerFirstDay${after}`]: offer?.firstDay ?? null,
  [`offerLastDay${after}`]: offer?.lastDay ?? null,
});

/**
 * Sets or removes a creator's own fee. Throws NOT_FOUND for a user who is no creator, CONFLICT when it has changed
 * since the operator loaded it, VALIDATION when it does not fit the platform's fees.
 */
export async function setOwnFee(
  ctx: Pick<Context, 'clock' | 'db'>,
  operatorId: string,
  creatorId: string,
  { from, to, ground }: BodyOf<typeof contract.setCreatorFee>,
): Promise<AnswerOf<typeof contract.setCreatorFee>> {
  return ctx.db.transaction(async (tx) => {
    const creator = await findUser(tx, creatorId);
    if (creator?.type !== 'creator') throw new AppError('NOT_FOUND');
    await lockFees(tx);
    const before = present(await ownFeeOf(tx, creatorId));
    if (!isSame(before, to)) {
      if (!isSame(before, from)) throw new AppError('CONFLICT', { message: CHANGED_MEANWHILE });
      const problem = ownFeeProblem(to, await feesOf(tx), dayOf(ctx.clock.now()));
      if (problem) throw invalid(`to.${problem.field}`, problem.message);
      const { generalFee, offer } = to;
      await setCreatorFee(tx, creatorId, {
        generalPercent: generalFee,
        offerPercent: offer?.fee ?? null,
        offerFrom: offer?.firstDay ? new Date(offer.firstDay) : null,
        offerUntil: offer ? new Date(Date.parse(offer.lastDay) + DAY_MS) : null,
      });
      await noteAct(ctx, tx, {
        operatorId,
        act: 'settings.fees.creator',
        subjectKind: 'creator',
        subjectId: creatorId,
        facts: { ground, creator: creator.username, ...factsOf(to, ''), ...factsOf(before, 'Before') },
      });
    }
    const [view] = await presentAll(ctx, tx, [{ creatorId, fee: await ownFeeOf(tx, creatorId) }]);
    if (!view) throw new Error('a creator has a fee');
    return view;
  });
}
