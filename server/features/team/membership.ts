import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { UserId } from '@stagedoor/contract/atoms/ids.ts';
import { TEAM } from '@stagedoor/contract/atoms/room-limits.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import type { listTeams } from '@stagedoor/contract/team.ts';
import type { Context } from '../../kernel/context.ts';
import { newId } from '../../kernel/ids.ts';
import type { Actor, Team } from '../../kernel/session.ts';
import { actInstead, findPeople, findUser, forgetSessions, limitedOf, requireUser } from '../accounts/index.ts';
import { areApart, togetherWith } from '../blocks/index.ts';
import './events.ts';
import { joinedMail } from './mails.ts';
import { endMembership } from './service.ts';
import * as store from './store.ts';

type View = AnswerOf<typeof listTeams>;

/** The result excludes creators in a blocked pair with the caller. */
export async function viewTeams(ctx: Context, { userId, actingFor }: Actor): Promise<View> {
  const user = await requireUser(ctx.db, userId);
  const memberships = await store.membershipsOf(ctx.db, userId);
  const asked = user.email_verified_at ? await store.invitationsTo(ctx.db, user, ctx.clock.now()) : [];
  const ids = [...memberships, ...asked].map(({ creatorId }) => creatorId).filter((id) => id !== userId);
  const people = await findPeople(ctx.db, await togetherWith(ctx.db, userId, ids));
  const withCreator = <T>(creatorId: string, rest: T) => {
    const creator = people.get(creatorId);
    return creator ? [{ creator, ...rest }] : [];
  };
  return {
    memberships: memberships.flatMap(({ creatorId, rights, since }) =>
      withCreator(creatorId, { rights, since: since.toISOString() }),
    ),
    invitations: asked.flatMap(({ id, creatorId, rights, expiresAt }) =>
      withCreator(creatorId, { id, rights, expiresAt: expiresAt.toISOString() }),
    ),
    actingFor: actingFor?.creator.userId ?? null,
  };
}

/**
 * Answers an invitation. Accepting deletes the other ones by that creator. Throws NOT_FOUND for an invitation that is
 * expired or not the caller's, CONFLICT when the caller is in too many teams, FORBIDDEN for operators.
 */
export async function answer(ctx: Context, actor: Actor, id: string, isAccepted: boolean): Promise<View> {
  if (actor.type === 'operator') throw new AppError('FORBIDDEN');
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const user = await requireUser(tx, actor.userId);
    // The lock makes the second of two concurrent requests see the first.
    const inviterId = await store.findInviter(tx, id);
    if (inviterId) await store.lockTeam(tx, inviterId);
    const taken = await store.takeInvitation(tx, id);
    const isMine = taken?.userId === user.id || (user.email_verified_at && taken?.email === user.email.toLowerCase());
    if (!taken || !isMine || taken.expiresAt <= now || taken.creatorId === user.id) throw new AppError('NOT_FOUND');
    if (!isAccepted) return;
    const creator = await findUser(tx, taken.creatorId);
    if (!creator || creator.is_blocked || (await areApart(tx, user.id, creator.id))) throw new AppError('NOT_FOUND');
    if ((await store.membershipsOf(tx, user.id)).length >= TEAM.teams)
      throw new AppError('CONFLICT', { message: `You can be on up to ${TEAM.teams} teams.` });
    await store.uninvite(tx, creator.id, user);
    await store.addMember(tx, { creatorId: creator.id, memberId: user.id, rights: taken.rights, since: now });
    await ctx.mailer.send(tx, joinedMail(creator, user.name, ctx.config.publicUrl));
    await tx.emit('team.joined', { creatorId: creator.id, memberId: user.id });
  });
  return viewTeams(ctx, actor);
}

/** Throws NOT_FOUND when the caller is not in the team. */
export async function leave(ctx: Context, { userId }: Actor, creatorId: UserId): Promise<void> {
  if (!(await endMembership(ctx, creatorId, userId))) throw new AppError('NOT_FOUND');
}

/**
 * Starts or ends acting for a creator. Returns the token of the session that replaces the current one. Throws
 * NOT_FOUND.
 */
export async function act(ctx: Context, actor: Actor, creatorId: UserId | null): Promise<string> {
  const token = await ctx.db.transaction(async (tx) => {
    // With this lock, a concurrent end of this account's sessions either includes the new one or has already ended the
    // current one.
    await findUser(tx, actor.userId, { isLocked: true });
    // With this lock, a concurrent end of the membership includes the new session.
    if (creatorId && !(await store.findMembership(tx, creatorId, actor.userId, { isLocked: true })))
      throw new AppError('NOT_FOUND');
    if (creatorId && (await areApart(tx, actor.userId, creatorId))) throw new AppError('NOT_FOUND');
    return actInstead(ctx, tx, actor, creatorId);
  });
  forgetSessions(ctx, [actor.sessionId]);
  const detail = creatorId ? `acts for ${creatorId}` : 'acts for no creator';
  ctx.security.note({ kind: 'actingChanged', userId: actor.userId, detail });
  return token;
}

/** A former member, or one in a blocked pair with the creator, acts for no creator. */
export const teamOf = (ctx: Context): Team => ({
  find: async ({ userId }, creatorId) => {
    const membership = await store.findMembership(ctx.db, creatorId, userId);
    const creator = await findUser(ctx.db, creatorId);
    if (!membership || creator?.type !== 'creator' || (await areApart(ctx.db, userId, creatorId))) return undefined;
    return {
      creator: {
        userId: creator.id,
        username: creator.username,
        isBlocked: creator.is_blocked,
        limited: limitedOf(creator),
      },
      rights: membership.rights,
    };
  },
  keep: async ({ userId, member }, what, subject) => {
    if (!member) return async () => undefined;
    const id = newId(ctx.clock);
    const act = { creatorId: userId, memberId: member.userId, what, subject };
    await store.keepAct(ctx.db, { ...act, id, at: ctx.clock.now(), refused: null });
    return () => store.keepAct(ctx.db, { ...act, id: newId(ctx.clock), at: ctx.clock.now(), refused: id });
  },
});
