/** One's place in the teams of others: being asked, answering, acting for a creator, leaving; and what the kernel asks about it. */
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

/** The actor's teams and the invitations to them; those of creators whom they are apart from are none. */
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
 * Answers an invitation to the actor, by their account or its confirmed address; accepted, it ends the others of that creator. Throws NOT_FOUND for every other, and one that is
 * over; CONFLICT when they are in too many teams; FORBIDDEN for operators.
 */
export async function answer(ctx: Context, actor: Actor, id: string, isAccepted: boolean): Promise<View> {
  if (actor.type === 'operator') throw new AppError('FORBIDDEN');
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const user = await requireUser(tx, actor.userId);
    // Of two answers at once the second sees what the first left.
    const inviterId = await store.findInviter(tx, id);
    if (inviterId) await store.lockTeam(tx, inviterId);
    const taken = await store.takeInvitation(tx, id);
    const isMine = taken?.userId === user.id || (user.email_verified_at && taken?.email === user.email.toLowerCase());
    if (!taken || !isMine || taken.expiresAt <= now || taken.creatorId === user.id) throw new AppError('NOT_FOUND');
    if (!isAccepted) return;
    const creator = await findUser(tx, taken.creatorId);
    if (!creator || creator.is_blocked || (await areApart(tx, user.id, creator.id))) throw new AppError('NOT_FOUND');
    if ((await store.membershipsOf(tx, user.id)).length >= TEAM.teams)
      throw new AppError('CONFLICT', { message: `You can be in at most ${TEAM.teams} teams.` });
    await store.uninvite(tx, creator.id, user);
    await store.addMember(tx, { creatorId: creator.id, memberId: user.id, rights: taken.rights, since: now });
    await ctx.mailer.send(tx, joinedMail(creator, user.name, ctx.config.publicUrl));
    await tx.emit('team.joined', { creatorId: creator.id, memberId: user.id });
  });
  return viewTeams(ctx, actor);
}

/** Throws NOT_FOUND for a team that the actor is not in. */
export async function leave(ctx: Context, { userId }: Actor, creatorId: UserId): Promise<void> {
  if (!(await endMembership(ctx, creatorId, userId))) throw new AppError('NOT_FOUND');
}

/** Begins to act for a creator, or ends it. Answers the token of the session that takes this one's place. Throws NOT_FOUND. */
export async function act(ctx: Context, actor: Actor, creatorId: UserId | null): Promise<string> {
  const token = await ctx.db.transaction(async (tx) => {
    // Whoever ends the sessions of this account at this moment ends the new one with them, or has ended this one before.
    await findUser(tx, actor.userId, { isLocked: true });
    // Locked: whoever ends the membership at this moment ends the new session with it.
    if (creatorId && !(await store.findMembership(tx, creatorId, actor.userId, { isLocked: true })))
      throw new AppError('NOT_FOUND');
    if (creatorId && (await areApart(tx, actor.userId, creatorId))) throw new AppError('NOT_FOUND');
    return actInstead(ctx, tx, actor, creatorId);
  });
  forgetSessions(ctx, [actor.sessionId]);
  const detail = creatorId ? `acts for ${creatorId}` : 'acts for nobody';
  ctx.security.note({ kind: 'actingChanged', userId: actor.userId, detail });
  return token;
}

/** What the kernel asks. Whoever is not in the team any more, or apart from the creator, acts for nobody. */
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
