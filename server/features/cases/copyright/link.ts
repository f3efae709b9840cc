/**
 * A blocked user cannot log in, so the mail about a removal links to the counter-notice. The link grants nothing else,
 * and nothing to users who can log in.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import { counterLink } from '@stagedoor/contract/case-addresses.ts';
import type { giveCounterByLink, readCounterLink } from '@stagedoor/contract/copyright.ts';
import type { Context } from '../../../kernel/context.ts';
import { findUser } from '../../accounts/index.ts';
import { findDecision } from '../store.ts';
import { takeCounter } from './counter.ts';
import { claimsOf } from './store.ts';

const sign = ({ config }: Pick<Context, 'config'>, decisionId: string) =>
  createHmac('sha256', config.deriveKey('counter link')).update(decisionId).digest('base64url');

export function counterUrl(ctx: Pick<Context, 'config'>, decisionId: string): string {
  return `${ctx.config.publicUrl}${counterLink(`${decisionId}.${sign(ctx, decisionId)}`)}`;
}

/** Throws NOT_FOUND for a forged link. */
async function readLink(ctx: Context, of: string) {
  const [decisionId = '', mac = ''] = of.split('.');
  const [given, wanted] = [Buffer.from(mac), Buffer.from(sign(ctx, decisionId))];
  if (!isId(decisionId) || given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new AppError('NOT_FOUND');
  const decision = await findDecision(ctx.db, decisionId);
  const person = decision?.person_id ? await findUser(ctx.db, decision.person_id) : undefined;
  const claim = decision && (await claimsOf(ctx.db, [decision.case_id])).get(decision.case_id);
  if (!person || person.is_erasing || !claim) throw new AppError('NOT_FOUND');
  return { decisionId, person, claim };
}

/** Throws NOT_FOUND. */
export async function viewCounterLink(ctx: Context, of: string): Promise<AnswerOf<typeof readCounterLink>> {
  const { person, claim } = await readLink(ctx, of);
  return { isBlocked: person.is_blocked, claimant: claim.name, place: claim.place };
}

/** Throws NOT_FOUND, CONFLICT, FORBIDDEN for users who can log in. */
export async function takeCounterByLink(
  ctx: Context,
  { of, ...body }: BodyOf<typeof giveCounterByLink>,
): Promise<AnswerOf<typeof giveCounterByLink>> {
  const { decisionId, person } = await readLink(ctx, of);
  if (!person.is_blocked) throw new AppError('FORBIDDEN', { message: 'Log in and send your counter-notice in Help.' });
  return takeCounter(ctx, { userId: person.id, username: person.username }, decisionId, body);
}
