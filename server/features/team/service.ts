import type { TeamRight } from '@stagedoor/contract/atoms/acting.ts';
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { teamInvitationId, type UserId } from '@stagedoor/contract/atoms/ids.ts';
import { TEAM } from '@stagedoor/contract/atoms/room-limits.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import type { getTeam, listTeamActs } from '@stagedoor/contract/team.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Transaction } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { cursorOf, readIdOffset } from '../../kernel/offset.ts';
import type { Actor } from '../../kernel/session.ts';
import { endActing, findNamed, findPeople, findUser, forgetSessions, requireUser } from '../accounts/index.ts';
import { areApart } from '../blocks/index.ts';
import { invitationMail } from './mails.ts';
import * as store from './store.ts';

const DAY_MS = 24 * 60 * 60_000;
type View = AnswerOf<typeof getTeam>;

export async function viewTeam(ctx: Context, { userId }: Pick<Actor, 'userId'>): Promise<View> {
  const members = await store.membersOf(ctx.db, userId);
  const invitations = await store.invitedBy(ctx.db, userId, ctx.clock.now());
  const ids = [...members.map(({ memberId }) => memberId), ...invitations.flatMap((one) => one.userId ?? [])];
  const people = await findPeople(ctx.db, ids);
  return {
    most: TEAM.members,
    members: members.flatMap(({ memberId, rights, since }) => {
      const person = people.get(memberId);
      return person ? [{ person, rights, since: since.toISOString() }] : [];
    }),
    invitations: invitations.map(({ id, userId: asked, email, rights, expiresAt }) => ({
      ...{ id, rights, expiresAt: expiresAt.toISOString() },
      to: (asked && people.get(asked)?.username) || email || '',
    })),
  };
}

const NOBODY = 'No account with that username can be invited.';

/** Finds an account that may join the team. Throws VALIDATION, also for a blocked pair. */
async function askedByName(db: Executor, creator: Actor, name: string) {
  const user = await findNamed(db, name);
  if (!user || user.is_blocked || user.type === 'operator' || user.id === creator.userId) throw invalid('to', NOBODY);
  if (await areApart(db, user.id, creator.userId)) throw invalid('to', NOBODY);
  return user;
}

/** The mail is unsolicited, so it is limited. Throws RATE_LIMITED. */
async function countInvitation({ limits }: Context, creatorId: string): Promise<void> {
  const limit = { name: 'team invitation', max: TEAM.invitationsADay, windowMs: DAY_MS };
  const waitMs = await limits.countShared(limit, creatorId);
  if (waitMs === 0) return;
  throw new AppError('RATE_LIMITED', {
    message: `You can send ${TEAM.invitationsADay} invites in 24 hours, including canceled ones. Try again tomorrow.`,
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}

/**
 * Invites a user. For an address nothing reveals whether it has an account. Throws VALIDATION on `to`, CONFLICT when
 * the team is full or they are in it, RATE_LIMITED.
 */
export async function invite(ctx: Context, actor: Actor, to: string, rights: TeamRight[]): Promise<View> {
  const now = ctx.clock.now();
  const expiresAt = new Date(now.getTime() + TEAM.invitationDays * DAY_MS);
  await ctx.db.transaction(async (tx) => {
    const creator = await requireUser(tx, actor.userId);
    const isMail = to.includes('@');
    if (isMail && to.toLowerCase() === creator.email.toLowerCase()) throw invalid('to', 'That’s your own email.');
    const asked = isMail ? undefined : await askedByName(tx, actor, to);
    await store.lockTeam(tx, actor.userId);
    if (asked && (await store.findMembership(tx, actor.userId, asked.id)))
      throw new AppError('CONFLICT', { message: 'They’re already on your team.' });
    const id = teamInvitationId.parse(newId(ctx.clock));
    const email = isMail ? to.toLowerCase() : null;
    await store.invite(tx, { id, creatorId: actor.userId, userId: asked?.id ?? null, email, rights, expiresAt }, now);
    const count = (await store.membersOf(tx, actor.userId)).length;
    if (count + (await store.invitedBy(tx, actor.userId, now)).length > TEAM.members)
      throw new AppError('CONFLICT', {
        message: `A team can have up to ${TEAM.members} people, including pending invites.`,
      });
    await countInvitation(ctx, actor.userId);
    const known = asked ?? (await findNamed(tx, to));
    const mail = {
      to: asked?.email ?? to,
      type: known?.type ?? '',
      creatorUsername: creator.username,
      rights,
      expiresAt,
    };
    await ctx.mailer.send(tx, { ...invitationMail(mail, ctx.config.publicUrl), isOnlyWay: isMail });
  });
  return viewTeam(ctx, actor);
}

/** Throws NOT_FOUND for an invitation that is not the caller's. */
export async function withdraw(ctx: Context, actor: Actor, id: string): Promise<View> {
  await ctx.db.transaction(async (tx) => {
    const taken = await store.takeInvitation(tx, id);
    if (taken?.creatorId !== actor.userId) throw new AppError('NOT_FOUND');
  });
  return viewTeam(ctx, actor);
}

/** An older invitation must restore neither membership nor rights. The caller holds the team's lock. */
async function endInvitations(tx: Transaction, creatorId: string, memberId: string): Promise<void> {
  const member = await findUser(tx, memberId);
  if (member) await store.uninvite(tx, creatorId, member);
}

/** Sets a member's rights. Removing a right ends their acting sessions. Throws NOT_FOUND. */
export async function changeRights(ctx: Context, actor: Actor, memberId: UserId, rights: TeamRight[]): Promise<View> {
  const ended = await ctx.db.transaction(async (tx) => {
    await store.lockTeam(tx, actor.userId);
    const before = await store.findMembership(tx, actor.userId, memberId, { isLocked: true });
    if (!before) throw new AppError('NOT_FOUND');
    await store.setRights(tx, actor.userId, memberId, rights);
    await endInvitations(tx, actor.userId, memberId);
    return before.rights.every((right) => rights.includes(right)) ? [] : endActing(tx, actor.userId, memberId);
  });
  forgetActing(ctx, memberId, ended);
  return viewTeam(ctx, actor);
}

/** Call after the commit. */
function forgetActing(ctx: Context, memberId: string, ended: readonly string[]): void {
  forgetSessions(ctx, ended);
  if (ended.length > 0) ctx.security.note({ kind: 'sessionsEnded', userId: memberId, detail: 'acting' });
}

/** Ends a membership, its acting sessions and open invitations. Returns whether there was one. */
export async function endMembership(ctx: Context, creatorId: string, memberId: string): Promise<boolean> {
  const ended = await ctx.db.transaction(async (tx) => {
    await store.lockTeam(tx, creatorId);
    if (!(await store.removeMember(tx, creatorId, memberId))) return undefined;
    await endInvitations(tx, creatorId, memberId);
    return endActing(tx, creatorId, memberId);
  });
  if (ended) forgetActing(ctx, memberId, ended);
  return ended !== undefined;
}

/** Throws NOT_FOUND when the user is not in the caller's team. */
export async function removeMember(ctx: Context, actor: Actor, memberId: UserId): Promise<View> {
  if (!(await endMembership(ctx, actor.userId, memberId))) throw new AppError('NOT_FOUND');
  return viewTeam(ctx, actor);
}

type Acts = AnswerOf<typeof listTeamActs>;
const GONE = { username: '', name: 'Deleted user', avatarUrl: null };

export async function listActs(
  ctx: Context,
  { userId }: Actor,
  { limit, offset }: { limit: number; offset: string },
): Promise<Acts> {
  const { skip, before } = readIdOffset(offset);
  const rows = await store.actsOf(ctx.db, userId, before, skip, limit + 1);
  const shown = rows.slice(0, limit);
  const people = await findPeople(
    ctx.db,
    shown.map(({ memberId }) => memberId),
  );
  const last = shown.at(-1);
  return {
    data: shown.map(({ memberId, at, ...act }) => ({
      ...act,
      at: at.toISOString(),
      member: people.get(memberId) ?? { id: memberId, ...GONE },
    })),
    limit,
    totalCount: await store.countActs(ctx.db, userId),
    ...(rows.length > limit && last ? { nextOffset: cursorOf(last.id) } : {}),
  };
}
