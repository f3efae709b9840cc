import type { listOwnTeams } from '@stagedoor/contract/identity/teams.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { UserId } from '@stagedoor/contract/shared/ids.ts';
import { TEAM_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import { createId } from '../../../platform/ids.ts';
import type { Actor, TeamDelegation } from '../../../platform/security/session.ts';
import {
  dropSessions,
  findUser,
  findUserSummaries,
  getRestrictions,
  requireUser,
  switchDelegation,
} from '../accounts/index.ts';
import { filterUnblocked, isBlockedPair } from '../blocks/index.ts';
import './events.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { createMemberJoinedMail } from './mails.ts';
import { endMembership } from './service.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

type OwnTeamsView = ResponseInputOf<typeof listOwnTeams>;

/** The result excludes creators in a blocked pair with the caller. */
export async function getOwnTeams(ctx: Context, { userId, onBehalfOf }: Actor): Promise<OwnTeamsView> {
  const user = await requireUser(ctx.db, userId);
  const memberships = await store.listMemberships(ctx.db, userId);
  const invitations = user.email_verified_at ? await store.listReceivedInvitations(ctx.db, user, ctx.clock.now()) : [];
  const ids = [...memberships, ...invitations].map(({ creatorId }) => creatorId).filter((id) => id !== userId);
  const creatorsById = await findUserSummaries(ctx.db, await filterUnblocked(ctx.db, userId, ids));
  const addCreator = <T>(creatorId: string, fields: T) => {
    const creator = creatorsById.get(creatorId);
    return creator ? [{ creator, ...fields }] : [];
  };
  return {
    memberships: memberships.flatMap(({ creatorId, rights, since }) =>
      addCreator(creatorId, { rights, since: since.toISOString() }),
    ),
    invitations: invitations.flatMap(({ id, creatorId, rights, expiresAt }) =>
      addCreator(creatorId, { id, rights, expiresAt: expiresAt.toISOString() }),
    ),
    onBehalfOf: onBehalfOf?.creator.userId ?? null,
  };
}

/**
 * Answers an invitation. Accepting deletes the other ones by that creator. Throws NOT_FOUND for an invitation that is
 * expired or not the caller's, CONFLICT when the caller is in too many teams, FORBIDDEN for operators.
 */
export async function respondToInvitation(
  ctx: Context,
  actor: Actor,
  id: string,
  isAccepted: boolean,
): Promise<OwnTeamsView> {
  if (actor.type === 'operator') throw new AppError('FORBIDDEN');
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const user = await requireUser(tx, actor.userId);
    // The lock makes the second of two concurrent requests see the first.
    const inviterId = await store.findInviter(tx, id);
    if (inviterId) await store.lockTeam(tx, inviterId);
    const invitation = await store.consumeInvitation(tx, id);
    const isForCaller =
      invitation?.userId === user.id || (user.email_verified_at && invitation?.email === user.email.toLowerCase());
    if (!invitation || !isForCaller || invitation.expiresAt <= now || invitation.creatorId === user.id)
      throw new AppError('NOT_FOUND');
    if (!isAccepted) return;
    const creator = await findUser(tx, invitation.creatorId);
    if (!creator || creator.is_blocked || (await isBlockedPair(tx, user.id, creator.id)))
      throw new AppError('NOT_FOUND');
    if ((await store.listMemberships(tx, user.id)).length >= TEAM_LIMITS.teams)
      throw new AppError('CONFLICT', {
        message: formatText(texts.teamMembershipLimit, { maximum: TEAM_LIMITS.teams }),
      });
    await store.deleteInvitationsTo(tx, creator.id, user);
    await store.addMember(tx, { creatorId: creator.id, memberId: user.id, rights: invitation.rights, since: now });
    await ctx.mailer.send(tx, createMemberJoinedMail(creator, user.name, ctx.config.publicUrl));
    await tx.emit('team.joined', { creatorId: creator.id, memberId: user.id });
  });
  return getOwnTeams(ctx, actor);
}

/** Throws NOT_FOUND when the caller is not in the team. */
export async function leaveTeam(ctx: Context, { userId }: Actor, creatorId: UserId): Promise<void> {
  if (!(await endMembership(ctx, creatorId, userId))) throw new AppError('NOT_FOUND');
}

/**
 * Starts or ends acting for a creator. Returns the token of the session that replaces the current one. Throws
 * NOT_FOUND.
 */
export async function setDelegation(ctx: Context, actor: Actor, creatorId: UserId | null): Promise<string> {
  const token = await ctx.db.transaction(async (tx) => {
    // With this lock, a concurrent end of this account's sessions either includes the new one or has already ended the
    // current one.
    await findUser(tx, actor.userId, { isLocked: true });
    // With this lock, a concurrent end of the membership includes the new session.
    if (creatorId && !(await store.findMembership(tx, creatorId, actor.userId, { isLocked: true })))
      throw new AppError('NOT_FOUND');
    if (creatorId && (await isBlockedPair(tx, actor.userId, creatorId))) throw new AppError('NOT_FOUND');
    return switchDelegation(ctx, tx, actor, creatorId);
  });
  dropSessions(ctx, [actor.sessionId]);
  const detail = creatorId ? `acts for ${creatorId}` : 'acts for no creator';
  ctx.security.note({ kind: 'delegationChanged', userId: actor.userId, detail });
  return token;
}

/** A former member, or one in a blocked pair with the creator, acts for no creator. */
export const createTeamDelegation = (ctx: Context): TeamDelegation => ({
  findDelegation: async ({ userId }, creatorId) => {
    const membership = await store.findMembership(ctx.db, creatorId, userId);
    const creator = await findUser(ctx.db, creatorId);
    if (!membership || creator?.type !== 'creator' || (await isBlockedPair(ctx.db, userId, creatorId)))
      return undefined;
    return {
      creator: {
        userId: creator.id,
        username: creator.username,
        isBlocked: creator.is_blocked,
        restrictions: getRestrictions(creator),
      },
      rights: membership.rights,
    };
  },
  recordAction: async ({ userId, member }, description, subject) => {
    if (!member) return async () => undefined;
    const id = createId(ctx.clock);
    const action = { creatorId: userId, memberId: member.userId, action: description, subject };
    await store.insertAction(ctx.db, { ...action, id, at: ctx.clock.now(), refusedActionId: null });
    return () =>
      store.insertAction(ctx.db, { ...action, id: createId(ctx.clock), at: ctx.clock.now(), refusedActionId: id });
  },
});
