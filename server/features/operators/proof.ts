/** A proof is valid for some minutes and in this session only. */
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import type { proveMe as route } from '@stagedoor/contract/operators.ts';
import type { Context } from '../../kernel/context.ts';
import { provenUntil } from '../../kernel/operators.ts';
import type { Actor } from '../../kernel/session.ts';
import { markProven, proveAgain } from '../accounts/index.ts';

/** Throws as proveAgain: VALIDATION on `currentPassword` or `code`, RATE_LIMITED after too many attempts. */
export async function proveMe(ctx: Context, actor: Actor, body: BodyOf<typeof route>): Promise<AnswerOf<typeof route>> {
  const prove = await proveAgain(ctx, actor, body);
  const provenAt = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    await prove(tx);
    await markProven(tx, actor, provenAt);
  });
  // The cached session does not contain the proof yet.
  ctx.sessions.forget({ sessionIds: [actor.sessionId] });
  ctx.security.note({ kind: 'provenAgain', userId: actor.userId });
  return { provenUntil: provenUntil({ ...actor, provenAt }, ctx).toISOString() };
}
