import type { getTeam, listTeamActions } from '@stagedoor/contract/identity/teams.ts';
import type { TeamRight } from '@stagedoor/contract/shared/delegation.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { teamInvitationId, type UserId } from '@stagedoor/contract/shared/ids.ts';
import { TEAM_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../platform/database/db.ts';
import { parseIdOffset, toCursor } from '../../../platform/database/pagination.ts';
import { createId } from '../../../platform/ids.ts';
import { type RateLimit, requireNotLimited } from '../../../platform/limits/rate-limit.ts';
import type { Actor } from '../../../platform/security/session.ts';
import {
  dropSessions,
  endDelegation,
  findUser,
  findUserByName,
  findUserSummaries,
  requireUser,
} from '../accounts/index.ts';
import { isBlockedPair } from '../blocks/index.ts';
import { createInvitationMail } from './mails.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

const DAY_MS = 24 * 60 * 60_000;
const INVITATION_LIMIT: RateLimit = {
  name: 'team invitation',
  max: TEAM_LIMITS.invitationsPerDay,
  windowMs: DAY_MS,
  isFixed: true,
};
type TeamView = ResponseInputOf<typeof getTeam>;

export async function getTeamView(ctx: Context, { userId }: Pick<Actor, 'userId'>): Promise<TeamView> {
  const members = await store.listMembers(ctx.db, userId);
  const invitations = await store.listSentInvitations(ctx.db, userId, ctx.clock.now());
  const ids = [...members.map(({ memberId }) => memberId), ...invitations.flatMap((one) => one.userId ?? [])];
  const usersById = await findUserSummaries(ctx.db, ids);
  return {
    max: TEAM_LIMITS.members,
    members: members.flatMap(({ memberId, rights, since }) => {
      const user = usersById.get(memberId);
      return user ? [{ user, rights, since: since.toISOString() }] : [];
    }),
    invitations: invitations.map(({ id, userId: invitedId, email, rights, expiresAt }) => ({
      ...{ id, rights, expiresAt: expiresAt.toISOString() },
      to: (invitedId && usersById.get(invitedId)?.username) || email || '',
    })),
  };
}

const UNKNOWN_INVITEE = texts.usernameCannotBeInvited;

/** Finds an account that may join the team. Throws VALIDATION, also for a blocked pair. */
async function getInvitee(db: Executor, creator: Actor, name: string) {
  const user = await findUserByName(db, name);
  if (!user || user.is_blocked || user.type === 'operator' || user.id === creator.userId)
    throw createFieldError('to', UNKNOWN_INVITEE);
  if (await isBlockedPair(db, user.id, creator.userId)) throw createFieldError('to', UNKNOWN_INVITEE);
  return user;
}

/** The mail is unsolicited, so it is limited. Throws RATE_LIMITED. */
async function countInvitation({ limits }: Context, creatorId: string): Promise<void> {
  requireNotLimited(
    await limits.countShared(INVITATION_LIMIT, creatorId),
    formatText(texts.dailyInviteLimit, { maximum: TEAM_LIMITS.invitationsPerDay }),
  );
}

/**
 * Invites a user. For an address nothing reveals whether it has an account. Throws VALIDATION on `to`, CONFLICT when
 * the team is full or they are in it, RATE_LIMITED.
 */
export async function inviteMember(ctx: Context, actor: Actor, to: string, rights: TeamRight[]): Promise<TeamView> {
  const now = ctx.clock.now();
  const expiresAt = new Date(now.getTime() + TEAM_LIMITS.invitationDays * DAY_MS);
  await ctx.db.transaction(async (tx) => {
    const creator = await requireUser(tx, actor.userId);
    const isMail = to.includes('@');
    if (isMail && to.toLowerCase() === creator.email.toLowerCase()) throw createFieldError('to', texts.ownEmailError);
    const invitee = isMail ? undefined : await getInvitee(tx, actor, to);
    await store.lockTeam(tx, actor.userId);
    if (invitee && (await store.findMembership(tx, actor.userId, invitee.id)))
      throw new AppError('CONFLICT', { message: texts.alreadyOnTeam });
    const id = teamInvitationId.parse(createId(ctx.clock));
    const email = isMail ? to.toLowerCase() : null;
    await store.insertInvitation(
      tx,
      { id, creatorId: actor.userId, userId: invitee?.id ?? null, email, rights, expiresAt },
      now,
    );
    const count = (await store.listMembers(tx, actor.userId)).length;
    if (count + (await store.listSentInvitations(tx, actor.userId, now)).length > TEAM_LIMITS.members)
      throw new AppError('CONFLICT', {
        message: formatText(texts.teamSizeLimit, { maximum: TEAM_LIMITS.members }),
      });
    await countInvitation(ctx, actor.userId);
    const addressee = invitee ?? (await findUserByName(tx, to));
    const mail = {
      to: invitee?.email ?? to,
      type: addressee?.type ?? '',
      creatorUsername: creator.username,
      rights,
      expiresAt,
    };
    await ctx.mailer.send(tx, { ...createInvitationMail(mail, ctx.config.publicUrl), isEssential: isMail });
  });
  return getTeamView(ctx, actor);
}

/** Throws NOT_FOUND for an invitation that is not the caller's. */
export async function withdrawInvitation(ctx: Context, actor: Actor, id: string): Promise<TeamView> {
  await ctx.db.transaction(async (tx) => {
    const invitation = await store.consumeInvitation(tx, id);
    if (invitation?.creatorId !== actor.userId) throw new AppError('NOT_FOUND');
  });
  return getTeamView(ctx, actor);
}

/** An older invitation must restore neither membership nor rights. The caller holds the team's lock. */
async function deleteInvitations(tx: DbTransaction, creatorId: string, memberId: string): Promise<void> {
  const member = await findUser(tx, memberId);
  if (member) await store.deleteInvitationsTo(tx, creatorId, member);
}

/** Sets a member's rights. Removing a right ends their acting sessions. Throws NOT_FOUND. */
export async function updateMemberRights(
  ctx: Context,
  actor: Actor,
  memberId: UserId,
  rights: TeamRight[],
): Promise<TeamView> {
  const endedSessionIds = await ctx.db.transaction(async (tx) => {
    await store.lockTeam(tx, actor.userId);
    const membership = await store.findMembership(tx, actor.userId, memberId, { isLocked: true });
    if (!membership) throw new AppError('NOT_FOUND');
    await store.setRights(tx, actor.userId, memberId, rights);
    await deleteInvitations(tx, actor.userId, memberId);
    return membership.rights.every((right) => rights.includes(right)) ? [] : endDelegation(tx, actor.userId, memberId);
  });
  dropDelegatedSessions(ctx, memberId, endedSessionIds);
  return getTeamView(ctx, actor);
}

/** Call after the commit. */
function dropDelegatedSessions(ctx: Context, memberId: string, endedSessionIds: readonly string[]): void {
  dropSessions(ctx, endedSessionIds);
  if (endedSessionIds.length > 0) ctx.security.note({ kind: 'sessionsEnded', userId: memberId, detail: 'acting' });
}

/** Ends a membership, its acting sessions and open invitations. Returns whether there was one. */
export async function endMembership(ctx: Context, creatorId: string, memberId: string): Promise<boolean> {
  const endedSessionIds = await ctx.db.transaction(async (tx) => {
    await store.lockTeam(tx, creatorId);
    if (!(await store.removeMember(tx, creatorId, memberId))) return undefined;
    await deleteInvitations(tx, creatorId, memberId);
    return endDelegation(tx, creatorId, memberId);
  });
  if (endedSessionIds) dropDelegatedSessions(ctx, memberId, endedSessionIds);
  return endedSessionIds !== undefined;
}

/** Throws NOT_FOUND when the user is not in the caller's team. */
export async function removeMember(ctx: Context, actor: Actor, memberId: UserId): Promise<TeamView> {
  if (!(await endMembership(ctx, actor.userId, memberId))) throw new AppError('NOT_FOUND');
  return getTeamView(ctx, actor);
}

type TeamActionsPage = ResponseInputOf<typeof listTeamActions>;
const DELETED_MEMBER = { username: '', name: texts.deletedUser, avatarUrl: null };

export async function getActionPage(
  ctx: Context,
  { userId }: Actor,
  { limit, offset }: { limit: number; offset: string },
): Promise<TeamActionsPage> {
  const { skip, before } = parseIdOffset(offset);
  const rows = await store.listActions(ctx.db, userId, before, skip, limit + 1);
  const page = rows.slice(0, limit);
  const usersById = await findUserSummaries(
    ctx.db,
    page.map(({ memberId }) => memberId),
  );
  const last = page.at(-1);
  return {
    data: page.map(({ memberId, at, ...action }) => ({
      ...action,
      at: at.toISOString(),
      member: usersById.get(memberId) ?? { id: memberId, ...DELETED_MEMBER },
    })),
    limit,
    totalCount: await store.countActions(ctx.db, userId),
    ...(rows.length > limit && last ? { nextOffset: toCursor(last.id) } : {}),
  };
}
