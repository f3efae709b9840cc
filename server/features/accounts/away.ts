/** A break from the account logs the owner out everywhere and refuses log-ins until it ends. It cannot be shortened. */
import type { Proof } from '@stagedoor/contract/accounts.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { minuteText } from '@stagedoor/contract/atoms/times.ts';
import type { Context } from '../../kernel/context.ts';
import type { Actor } from '../../kernel/session.ts';
import { awayMail } from './mails.ts';
import { proveAgain } from './proof.ts';
import { forgetSessions } from './sessions.ts';
import * as store from './store.ts';

export function isAway(until: Date): AppError {
  return new AppError('FORBIDDEN', {
    message: `You’re taking a break until ${minuteText(until)}. You can log in after that.`,
  });
}

/** Starts a break. A longer one that already runs stays. Returns the end. Throws as {@link proveAgain}. */
export async function beginAway(ctx: Context, actor: Actor, wished: Date, proof: Proof): Promise<Date> {
  const prove = await proveAgain(ctx, actor, proof);
  const { until, ended } = await ctx.db.transaction(async (tx) => {
    const user = await prove(tx);
    const until = user.away_until && user.away_until > wished ? user.away_until : wished;
    await store.updateUser(tx, user.id, { away_until: until });
    await ctx.mailer.send(tx, awayMail(user, until));
    return { until, ended: await store.deleteSessions(tx, user.id) };
  });
  forgetSessions(ctx, ended);
  ctx.realtime.disconnect({ userIds: [actor.userId] });
  ctx.security.note({ kind: 'breakBegun', userId: actor.userId });
  return until;
}
