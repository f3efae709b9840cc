import type * as contract from '@stagedoor/contract/admin/fees.ts';
import { type CustomFee, findCustomFeeProblem } from '@stagedoor/contract/admin/fees.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { userId } from '@stagedoor/contract/shared/ids.ts';
import type { BodyOf, QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { parseSkip, toOffsetPage } from '../../../platform/database/pagination.ts';
import {
  type CreatorFeeTerms,
  findCustomFee,
  getEffectiveFee,
  listCustomFees,
  lockFees,
  setCreatorFee,
} from '../../commerce/sales/index.ts';
import { findUser, findUserByName, findUserSummaries } from '../../identity/accounts/index.ts';
import { SETTINGS_CHANGED_MESSAGE } from '../../identity/approvals/index.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import { getPlatformFees } from './fees.ts';

const DAY_MS = 24 * 60 * 60_000;
const toUtcDay = (at: Date) => at.toISOString().slice(0, 10);

/** Days are in UTC. The last day contains the last moment of the offer. */
function presentCustomFee(fee: CreatorFeeTerms | undefined): CustomFee {
  const { generalPercent = null, offerPercent = null, offerFrom = null, offerUntil = null } = fee ?? {};
  if (offerUntil === null || offerPercent === null) return { generalFee: generalPercent, offer: null };
  return {
    generalFee: generalPercent,
    offer: {
      fee: offerPercent,
      firstDay: offerFrom && toUtcDay(offerFrom),
      lastDay: toUtcDay(new Date(offerUntil.getTime() - 1)),
    },
  };
}

async function presentFees(
  { clock }: Pick<Context, 'clock'>,
  db: Executor,
  entries: readonly { creatorId: string; fee: CreatorFeeTerms | undefined }[],
) {
  const creatorsById = await findUserSummaries(
    db,
    entries.map(({ creatorId }) => creatorId),
  );
  return Promise.all(
    entries.map(async ({ creatorId, fee }) => {
      const creator = creatorsById.get(creatorId);
      if (!creator) throw new Error(`the creator ${creatorId} has a fee but no account`);
      return {
        creator: { id: z.parse(userId, creator.id), username: creator.username, name: creator.name },
        custom: presentCustomFee(fee),
        effectiveFee: (await getEffectiveFee(db, creatorId, clock.now())).percent,
      };
    }),
  );
}

export async function getCreatorFeePage(
  ctx: Pick<Context, 'clock' | 'db'>,
  { limit, offset, search }: QueryOf<typeof contract.listCreatorFees>,
): Promise<ResponseInputOf<typeof contract.listCreatorFees>> {
  const skip = parseSkip(offset);
  if (search !== undefined) {
    const user = await findUserByName(ctx.db, search.replace(/^@/, ''));
    const entries = user?.type === 'creator' && skip === 0 ? [user.id] : [];
    const fees = await Promise.all(
      entries.map(async (id) => ({ creatorId: id, fee: await findCustomFee(ctx.db, id) })),
    );
    return toOffsetPage(await presentFees(ctx, ctx.db, fees), { limit, skip, total: entries.length });
  }
  const { fees, total } = await listCustomFees(ctx.db, { limit, skip });
  const entries = fees.map((fee) => ({ creatorId: fee.creatorId, fee }));
  return toOffsetPage(await presentFees(ctx, ctx.db, entries), { limit, skip, total });
}

const isSame = (one: CustomFee, other: CustomFee) =>
  one.generalFee === other.generalFee &&
  one.offer?.fee === other.offer?.fee &&
  one.offer?.firstDay === other.offer?.firstDay &&
  one.offer?.lastDay === other.offer?.lastDay;

const toAuditDetails = ({ generalFee, offer }: CustomFee, suffix: '' | 'Before') => ({
  [`ownFee${suffix}`]: generalFee,
  [`ownOffer${suffix}`]: offer?.fee ?? null,
  [`offerFirstDay${suffix}`]: offer?.firstDay ?? null,
  [`offerLastDay${suffix}`]: offer?.lastDay ?? null,
});

/**
 * Sets or removes a creator's custom fee. Throws NOT_FOUND for a user who is no creator, CONFLICT when it has changed
 * since the operator loaded it, VALIDATION when it does not fit the platform's fees.
 */
export async function saveCustomFee(
  ctx: Pick<Context, 'clock' | 'db'>,
  operatorId: string,
  creatorId: string,
  { from, to, reason }: BodyOf<typeof contract.updateCreatorFee>,
): Promise<ResponseInputOf<typeof contract.updateCreatorFee>> {
  return ctx.db.transaction(async (tx) => {
    const creator = await findUser(tx, creatorId);
    if (creator?.type !== 'creator') throw new AppError('NOT_FOUND');
    await lockFees(tx);
    const before = presentCustomFee(await findCustomFee(tx, creatorId));
    if (!isSame(before, to)) {
      if (!isSame(before, from)) throw new AppError('CONFLICT', { message: SETTINGS_CHANGED_MESSAGE });
      const problem = findCustomFeeProblem(to, await getPlatformFees(tx), toUtcDay(ctx.clock.now()));
      if (problem) throw createFieldError(`to.${problem.field}`, problem.message);
      const { generalFee, offer } = to;
      await setCreatorFee(tx, creatorId, {
        generalPercent: generalFee,
        offerPercent: offer?.fee ?? null,
        offerFrom: offer?.firstDay ? new Date(offer.firstDay) : null,
        offerUntil: offer ? new Date(Date.parse(offer.lastDay) + DAY_MS) : null,
      });
      await logAction(ctx, tx, {
        operatorId,
        action: 'settings.fees.creator',
        subjectKind: 'creator',
        subjectId: creatorId,
        details: { reason, creator: creator.username, ...toAuditDetails(to, ''), ...toAuditDetails(before, 'Before') },
      });
    }
    const [view] = await presentFees(ctx, tx, [{ creatorId, fee: await findCustomFee(tx, creatorId) }]);
    if (!view) throw new Error(`no fee of the creator ${creatorId} is returned`);
    return view;
  });
}
