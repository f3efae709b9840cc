import { randomInt } from 'node:crypto';
import { referralPath } from '@stagedoor/contract/addresses.ts';
import type { getAffiliateCode, getInvitation } from '@stagedoor/contract/affiliates.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement } from '../../kernel/db.ts';
import { requireSeenHere } from '../../kernel/places.ts';
import { qrSvg } from '../../kernel/qr.ts';
import type { Actor } from '../../kernel/session.ts';
import { findPeople, requireUser } from '../accounts/index.ts';

/** Leaves out characters that look alike. A code of eight characters cannot be guessed. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const LENGTH = 8;

const newCode = () => Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');

const FIND: Statement = { name: 'affiliates-code', text: 'select code from affiliate_codes where user_id = $1' };
const MAKE: Statement = {
  name: 'affiliates-make-code',
  text: 'insert into affiliate_codes (user_id, code, created_at) values ($1, $2, $3) on conflict do nothing',
};
const OWNER: Statement = {
  name: 'affiliates-code-owner',
  text: 'select user_id as id from affiliate_codes where code = upper($1)',
};

const FORGET: Statement = { name: 'affiliates-forget-code', text: 'delete from affiliate_codes where user_id = $1' };

export async function forgetCode(db: Executor, userId: string): Promise<void> {
  await db.run(FORGET, [userId]);
}

export function requireAffiliate({ type }: Pick<Actor, 'type'>): void {
  if (type === 'operator') throw new AppError('FORBIDDEN');
}

/** Returns the code of a user and creates one if there is none. */
export async function codeOf(ctx: Pick<Context, 'clock'>, db: Executor, userId: string): Promise<string> {
  for (;;) {
    const [found] = await db.run<{ code: string }>(FIND, [userId]);
    if (found) return found.code;
    // The insert does nothing if the code is taken or another request was faster, so the loop looks again.
    await db.run(MAKE, [userId, newCode(), ctx.clock.now()]);
  }
}

export async function ownerOfCode(db: Executor, code: string): Promise<string | undefined> {
  return (await db.run<{ id: string }>(OWNER, [code]))[0]?.id;
}

/** Returns the code of the actor, its link and its QR code. Throws FORBIDDEN for operators. */
export async function viewCode(ctx: Context, actor: Actor): Promise<AnswerOf<typeof getAffiliateCode>> {
  requireAffiliate(actor);
  const code = await codeOf(ctx, ctx.db, actor.userId);
  const link = `${ctx.config.publicUrl}${referralPath(code)}`;
  return { affiliateId: actor.userId, code, link, qrSvg: await qrSvg(link) };
}

/**
 * Returns who invites with a code. Throws NOT_FOUND for an unknown code and for an owner who is blocked or hidden from
 * this viewer.
 */
export async function viewInvitation(ctx: Context, code: string): Promise<AnswerOf<typeof getInvitation>> {
  const ownerId = await ownerOfCode(ctx.db, code);
  if (!ownerId || (await requireUser(ctx.db, ownerId)).is_blocked) throw new AppError('NOT_FOUND');
  requireSeenHere(ownerId);
  const person = (await findPeople(ctx.db, [ownerId])).get(ownerId);
  if (!person) throw new AppError('NOT_FOUND');
  return { code: code.toUpperCase(), name: person.name, avatarUrl: person.avatarUrl };
}
