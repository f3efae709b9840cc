/** A break from the account logs the owner out everywhere and refuses log-ins until it ends. It cannot be shortened. */
import type { Reauthentication } from '@stagedoor/contract/identity/accounts.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatMinute } from '@stagedoor/contract/shared/times.ts';
import type { Context } from '../../../platform/context.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { createBreakMail } from './mails.ts';
import { reauthenticate } from './reauthentication.ts';
import { dropSessions } from './sessions.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

export function createAccountBreakError(until: Date): AppError {
  return new AppError('FORBIDDEN', {
    message: formatText(texts.takingBreakUntil, { endDate: formatMinute(until) }),
  });
}

/** Starts a break. A longer one that already runs stays. Returns the end. Throws as {@link reauthenticate}. */
export async function startAccountBreak(
  ctx: Context,
  actor: Actor,
  requestedEnd: Date,
  reauthentication: Reauthentication,
): Promise<Date> {
  const confirmReauthentication = await reauthenticate(ctx, actor, reauthentication);
  const { until, ended } = await ctx.db.transaction(async (tx) => {
    const user = await confirmReauthentication(tx);
    const until = user.break_until && user.break_until > requestedEnd ? user.break_until : requestedEnd;
    await store.updateUser(tx, user.id, { break_until: until });
    await ctx.mailer.send(tx, createBreakMail(user, until));
    return { until, ended: await store.deleteSessions(tx, user.id) };
  });
  dropSessions(ctx, ended);
  ctx.realtime.disconnect({ userIds: [actor.userId] });
  ctx.security.note({ kind: 'breakStarted', userId: actor.userId });
  return until;
}
