/**
 * Owners cannot change their own roles, so one owner always remains. Each change is logged, ends the operator's
 * sessions, and is mailed to the operator and every owner.
 */
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf, BodyOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import { OPERATOR_ROLES, type OperatorRole } from '@stagedoor/contract/operator-rights.ts';
import type {
  changeRoles as changeRoute,
  inviteOperator,
  listTeam,
  listTeamChanges,
  TeamMember,
} from '@stagedoor/contract/operators.ts';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import {
  changeOperator,
  findNamed,
  findUser,
  forgetSessions,
  listOperators,
  lockOperators,
  type Operator,
} from '../accounts/index.ts';
import { noteAct, viewAudit } from '../audit/index.ts';
import { hasMoved } from '../ledger/index.ts';
import './events.ts';
import { newcomers } from './two.ts';

const presentTo =
  (areNew: ReadonlyMap<string, Date>) =>
  ({ lastSeenAt, ...member }: Operator): TeamMember => ({
    ...member,
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
    countsFrom: (member.roles.length > 0 && areNew.get(member.id)?.toISOString()) || null,
  });

async function memberOf(ctx: Context, id: string): Promise<TeamMember> {
  const [member] = await listOperators(ctx, ctx.db, id);
  if (!member) throw new AppError('NOT_FOUND');
  return presentTo(await newcomers(ctx.db, ctx.clock.now()))(member);
}

export async function viewTeam(ctx: Context): Promise<AnswerOf<typeof listTeam>> {
  const [members, areNew] = await Promise.all([listOperators(ctx, ctx.db), newcomers(ctx.db, ctx.clock.now())]);
  return { data: members.map(presentTo(areNew)) };
}

export function viewTeamChanges(
  ctx: Pick<Context, 'db'>,
  page: QueryOf<typeof listTeamChanges>,
): Promise<AnswerOf<typeof listTeamChanges>> {
  return viewAudit(ctx, { ...page, subjectKind: 'operator' });
}

const inOrder = (roles: readonly OperatorRole[]) => OPERATOR_ROLES.filter((role) => roles.includes(role));
const same = (a: readonly OperatorRole[], b: readonly OperatorRole[]) => inOrder(a).join() === inOrder(b).join();

/**
 * Throws FORBIDDEN unless the caller is still an owner. With the lock, one owner remains when two remove each other at
 * once.
 */
async function asOwner(tx: Transaction, ownerId: string): Promise<Map<string, readonly OperatorRole[]>> {
  const roles = await lockOperators(tx);
  if (!roles.get(ownerId)?.includes('owner')) throw new AppError('FORBIDDEN');
  return roles;
}

/** Throws VALIDATION on `username` with the reason. */
async function requireFree(tx: Transaction, userId: string): Promise<void> {
  const user = await findUser(tx, userId, { isLocked: true });
  if (!user || user.is_blocked) throw invalid('username', 'This account is blocked or about to be deleted.');
  if (user.email_verified_at === null) throw invalid('username', 'Their email isn’t confirmed yet.');
  if (user.type === 'creator')
    throw invalid('username', 'This is a creator account. Ask them to create a separate account for staff use.');
  if (user.type === 'customer' && (await hasMoved(tx, user.id)))
    throw invalid('username', 'This account has transactions. Ask them to create a separate account for staff use.');
}

type Change = {
  /** The owner is null for the admin CLI. */
  ownerId: string | null;
  userId: string;
  before: readonly OperatorRole[];
  after: readonly OperatorRole[];
  ground: string;
};

/** Sets the roles. Returns the ended sessions. */
async function setRoles(
  ctx: Pick<Context, 'clock'>,
  tx: Transaction,
  { ownerId, userId, before, after, ground }: Change,
): Promise<string[]> {
  const user = await findUser(tx, userId);
  if (!user) throw new AppError('NOT_FOUND');
  const roles = inOrder(after);
  const ended = await changeOperator(tx, userId, roles);
  await tx.emit('operators.changed', { userId, byId: ownerId, before: inOrder(before), after: roles, ground });
  await noteAct(ctx, tx, {
    operatorId: ownerId,
    act: before.length === 0 ? 'operator.invite' : roles.length === 0 ? 'operator.remove' : 'operator.roles',
    subjectKind: 'operator',
    subjectId: userId,
    facts: { username: user.username, before: before.join(', ') || null, after: roles.join(', ') || null, ground },
  });
  return ended;
}

function forget(ctx: Context, userId: string, ended: readonly string[]): void {
  forgetSessions(ctx, ended);
  ctx.sessions.forget({ userIds: [userId] });
  ctx.realtime.disconnect({ userIds: [userId] });
}

function noteRoles(ctx: Context, userId: string, roles: readonly OperatorRole[]): void {
  ctx.security.note({ kind: 'rolesChanged', userId, detail: inOrder(roles).join(', ') });
}

/**
 * Invites a former operator, or a fan whose account was never used for money, because operators have no wallet. Throws
 * VALIDATION on `username` with the reason, CONFLICT if it has roles already.
 */
export async function invite(
  ctx: Context,
  ownerId: string,
  { username, roles, ground }: BodyOf<typeof inviteOperator>,
): Promise<TeamMember> {
  const found = await findNamed(ctx.db, username);
  if (!found) throw invalid('username', 'User not found.');
  const ended = await ctx.db.transaction(async (tx) => {
    const known = await asOwner(tx, ownerId);
    if ((known.get(found.id)?.length ?? 0) > 0)
      throw new AppError('CONFLICT', { message: `@${found.username} is already staff.` });
    await requireFree(tx, found.id);
    return setRoles(ctx, tx, { ownerId, userId: found.id, before: [], after: roles, ground });
  });
  forget(ctx, found.id, ended);
  noteRoles(ctx, found.id, roles);
  return memberOf(ctx, found.id);
}

/**
 * Sets an operator's roles. Throws NOT_FOUND, FORBIDDEN for oneself, CONFLICT when the roles were changed in the
 * meantime.
 */
export async function changeRoles(
  ctx: Context,
  ownerId: string,
  userId: string,
  { from, to, ground }: BodyOf<typeof changeRoute>,
): Promise<TeamMember> {
  const ended = await ctx.db.transaction(async (tx) => {
    const before = (await asOwner(tx, ownerId)).get(userId);
    if (!before) throw new AppError('NOT_FOUND');
    if (userId === ownerId) throw new AppError('FORBIDDEN', { message: 'You can’t change your own roles.' });
    if (!same(before, from)) throw new AppError('CONFLICT', { message: 'Someone else already changed their roles.' });
    if (same(before, to)) return [];
    return setRoles(ctx, tx, { ownerId, userId, before, after: to, ground });
  });
  if (!same(from, to)) {
    forget(ctx, userId, ended);
    noteRoles(ctx, userId, to);
  }
  return memberOf(ctx, userId);
}

/** Ends all sessions of an operator. Throws NOT_FOUND if the user is no operator. */
export async function endSessions(ctx: Context, ownerId: string, userId: string): Promise<TeamMember> {
  const ended = await ctx.db.transaction(async (tx) => {
    const roles = (await asOwner(tx, ownerId)).get(userId);
    const user = roles && (await findUser(tx, userId));
    if (!user) throw new AppError('NOT_FOUND');
    const sessions = await changeOperator(tx, userId, roles);
    await noteAct(ctx, tx, {
      operatorId: ownerId,
      act: 'operator.endSessions',
      subjectKind: 'operator',
      subjectId: userId,
      facts: { username: user.username, sessions: sessions.length },
    });
    return sessions;
  });
  forget(ctx, userId, ended);
  ctx.security.note({ kind: 'sessionsEnded', userId, detail: 'by an owner' });
  return memberOf(ctx, userId);
}

/**
 * Gives roles from the admin CLI. The running server mails the owners. Throws VALIDATION on `username` with the reason.
 */
export async function giveRoles(
  ctx: Pick<Context, 'clock'>,
  db: Pick<Context['db'], 'query' | 'run' | 'transaction'>,
  username: string,
  { roles, ground }: { roles: readonly OperatorRole[]; ground: string },
): Promise<void> {
  const found = await findNamed(db, username);
  if (!found) throw invalid('username', 'User not found.');
  await db.transaction(async (tx) => {
    const before = (await lockOperators(tx)).get(found.id) ?? [];
    if (roles.length > 0) await requireFree(tx, found.id);
    if (roles.length === 0 && before.length === 0) throw invalid('username', 'This user has no roles.');
    await setRoles(ctx, tx, { ownerId: null, userId: found.id, before, after: roles, ground });
  });
}
