import { randomInt } from 'node:crypto';
import type { getAffiliateCode, getReferralInvitation } from '@stagedoor/contract/finance/affiliates.ts';
import { referralPath } from '@stagedoor/contract/shared/addresses.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { requireNotGeoBlocked } from '../../../platform/geo.ts';
import { renderQrSvg } from '../../../platform/qr.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { findUserSummaries, requireUser } from '../../identity/accounts/index.ts';

/** Leaves out characters that look alike. A code of eight characters cannot be guessed. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const LENGTH = 8;

const createCode = () => Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');

const FIND: SqlStatement = { name: 'affiliates-code', text: 'select code from affiliate_codes where user_id = $1' };
const INSERT: SqlStatement = {
  name: 'affiliates-make-code',
  text: 'insert into affiliate_codes (user_id, code, created_at) values ($1, $2, $3) on conflict do nothing',
};
const OWNER: SqlStatement = {
  name: 'affiliates-code-owner',
  text: 'select user_id as id from affiliate_codes where code = upper($1)',
};

const DELETE: SqlStatement = { name: 'affiliates-forget-code', text: 'delete from affiliate_codes where user_id = $1' };

export async function deleteCode(db: Executor, userId: string): Promise<void> {
  await db.run(DELETE, [userId]);
}

export function requireAffiliate({ type }: Pick<Actor, 'type'>): void {
  if (type === 'operator') throw new AppError('FORBIDDEN');
}

/** Returns the code of a user and creates one if there is none. */
export async function getOrCreateCode(ctx: Pick<Context, 'clock'>, db: Executor, userId: string): Promise<string> {
  for (;;) {
    const [row] = await db.run<{ code: string }>(FIND, [userId]);
    if (row) return row.code;
    // The insert does nothing if the code is taken or another request was faster, so the loop looks again.
    await db.run(INSERT, [userId, createCode(), ctx.clock.now()]);
  }
}

export async function findCodeOwner(db: Executor, code: string): Promise<string | undefined> {
  return (await db.run<{ id: string }>(OWNER, [code]))[0]?.id;
}

/** Returns the code of the actor, its link and its QR code. Throws FORBIDDEN for operators. */
export async function viewCode(ctx: Context, actor: Actor): Promise<ResponseInputOf<typeof getAffiliateCode>> {
  requireAffiliate(actor);
  const code = await getOrCreateCode(ctx, ctx.db, actor.userId);
  const link = `${ctx.config.publicUrl}${referralPath(code)}`;
  return { affiliateId: actor.userId, code, link, qrSvg: await renderQrSvg(link) };
}

/**
 * Returns who invites with a code. Throws NOT_FOUND for an unknown code and for an owner who is blocked or hidden from
 * this viewer.
 */
export async function viewInvitation(
  ctx: Context,
  code: string,
): Promise<ResponseInputOf<typeof getReferralInvitation>> {
  const ownerId = await findCodeOwner(ctx.db, code);
  if (!ownerId || (await requireUser(ctx.db, ownerId)).is_blocked) throw new AppError('NOT_FOUND');
  requireNotGeoBlocked(ownerId);
  const owner = (await findUserSummaries(ctx.db, [ownerId])).get(ownerId);
  if (!owner) throw new AppError('NOT_FOUND');
  return { code: code.toUpperCase(), name: owner.name, avatarUrl: owner.avatarUrl };
}
