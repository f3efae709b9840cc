/**
 * A blocked user cannot log in, so the mail about a removal links to the counter-notice. The link grants nothing else,
 * and nothing to users who can log in.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import { counterNoticePath } from '@stagedoor/contract/trust/case-addresses.ts';
import type { getCounterNoticeLink, submitCounterNoticeByLink } from '@stagedoor/contract/trust/copyright.ts';
import type { Context } from '../../../platform/context.ts';
import { findUser } from '../../identity/accounts/index.ts';
import { findDecision } from '../moderation/index.ts';
import { acceptCounterNotice } from './counter-notice.ts';
import { findClaims } from './store.ts';
import * as texts from './texts.ts';

const signDecisionId = ({ config }: Pick<Context, 'config'>, decisionId: string) =>
  createHmac('sha256', config.deriveKey('counter link')).update(decisionId).digest('base64url');

export function createCounterNoticeUrl(ctx: Pick<Context, 'config'>, decisionId: string): string {
  return `${ctx.config.publicUrl}${counterNoticePath(`${decisionId}.${signDecisionId(ctx, decisionId)}`)}`;
}

/** Throws NOT_FOUND for a forged link. */
async function verifyLink(ctx: Context, token: string) {
  const [decisionId = '', mac = ''] = token.split('.');
  const [actual, expected] = [Buffer.from(mac), Buffer.from(signDecisionId(ctx, decisionId))];
  if (!isId(decisionId) || actual.length !== expected.length || !timingSafeEqual(actual, expected))
    throw new AppError('NOT_FOUND');
  const decision = await findDecision(ctx.db, decisionId);
  const user = decision?.user_id ? await findUser(ctx.db, decision.user_id) : undefined;
  const claim = decision && (await findClaims(ctx.db, [decision.case_id])).get(decision.case_id);
  if (!user || user.is_erasing || !claim) throw new AppError('NOT_FOUND');
  return { decisionId, user, claim };
}

/** Throws NOT_FOUND. */
export async function viewCounterNoticeLink(
  ctx: Context,
  token: string,
): Promise<ResponseInputOf<typeof getCounterNoticeLink>> {
  const { user, claim } = await verifyLink(ctx, token);
  return { isBlocked: user.is_blocked, claimant: claim.name, url: claim.content_address };
}

/** Throws NOT_FOUND, CONFLICT, FORBIDDEN for users who can log in. */
export async function acceptCounterNoticeByLink(
  ctx: Context,
  { token, ...body }: BodyOf<typeof submitCounterNoticeByLink>,
): Promise<ResponseInputOf<typeof submitCounterNoticeByLink>> {
  const { decisionId, user } = await verifyLink(ctx, token);
  if (!user.is_blocked) throw new AppError('FORBIDDEN', { message: texts.logInForCounterNotice });
  return acceptCounterNotice(ctx, { userId: user.id, username: user.username }, decisionId, body);
}
