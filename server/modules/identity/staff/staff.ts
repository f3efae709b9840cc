/**
 * Owners cannot change their own roles, so one owner always remains. Each change is logged, ends the operator's
 * sessions, and is mailed to the operator and every owner. New roles become active with two-factor authentication, which
 * is set up by a code that only the invited user receives.
 */

import { OPERATOR_ROLES, type OperatorRole } from '@stagedoor/contract/admin/operator-rights.ts';
import type {
  updateStaffRoles as changeRoute,
  inviteStaffMember,
  listStaff,
  listStaffChanges,
  StaffMember,
} from '@stagedoor/contract/admin/staff.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { BodyOf, QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { hasMovedMoney } from '../../ledger/ledger/index.ts';
import {
  createStaffCode,
  createStaffCodeMail,
  dropSessions,
  expireStaffCodes,
  findUser,
  findUserByName,
  listOperators,
  lockOperators,
  type OperatorAccount,
  resetSecondFactor,
  setOperatorRoles,
} from '../accounts/index.ts';
import { getAuditPage, logAction } from '../audit-log/index.ts';
import './events.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { createInvitationMail } from './mails.ts';
import { listNewOperators } from './role-changes.ts';
import * as texts from './texts.ts';

const createPresenter =
  (newOperators: ReadonlyMap<string, Date>) =>
  ({ lastSeenAt, ...member }: OperatorAccount): StaffMember => ({
    ...member,
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
    approverFrom: (member.roles.length > 0 && newOperators.get(member.id)?.toISOString()) || null,
  });

async function getStaffMember(ctx: Context, id: string): Promise<StaffMember> {
  const [member] = await listOperators(ctx, ctx.db, id);
  if (!member) throw new AppError('NOT_FOUND');
  return createPresenter(await listNewOperators(ctx.db, ctx.clock.now()))(member);
}

export async function listStaffMembers(ctx: Context): Promise<ResponseInputOf<typeof listStaff>> {
  const [members, newOperators] = await Promise.all([
    listOperators(ctx, ctx.db),
    listNewOperators(ctx.db, ctx.clock.now()),
  ]);
  return { data: members.map(createPresenter(newOperators)) };
}

export function listStaffAudit(
  ctx: Pick<Context, 'db'>,
  page: QueryOf<typeof listStaffChanges>,
): Promise<ResponseInputOf<typeof listStaffChanges>> {
  return getAuditPage(ctx, { ...page, subjectKind: 'operator' });
}

const sortRoles = (roles: readonly OperatorRole[]) => OPERATOR_ROLES.filter((role) => roles.includes(role));
const hasSameRoles = (a: readonly OperatorRole[], b: readonly OperatorRole[]) =>
  sortRoles(a).join() === sortRoles(b).join();

/**
 * Throws FORBIDDEN unless the caller is still an owner. With the lock, one owner remains when two remove each other at
 * once.
 */
async function requireOwner(tx: DbTransaction, ownerId: string): Promise<Map<string, readonly OperatorRole[]>> {
  const roles = await lockOperators(tx);
  if (!roles.get(ownerId)?.includes('owner')) throw new AppError('FORBIDDEN');
  return roles;
}

/** Throws VALIDATION on `username` with the reason. */
async function requireUnusedAccount(tx: DbTransaction, userId: string): Promise<void> {
  const user = await findUser(tx, userId, { isLocked: true });
  if (!user || user.is_blocked) throw createFieldError('username', texts.blockedOrClosingAccount);
  if (user.email_verified_at === null) throw createFieldError('username', texts.emailNotConfirmed);
  if (user.type === 'creator') throw createFieldError('username', texts.creatorCannotBeStaff);
  if (user.type === 'customer' && (await hasMovedMoney(tx, user.id)))
    throw createFieldError('username', texts.accountHasTransactions);
}

type RoleChange = {
  /** The owner is null for the admin CLI. */
  ownerId: string | null;
  userId: string;
  before: readonly OperatorRole[];
  after: readonly OperatorRole[];
  reason: string;
};

/** Sets the roles. Returns the ended sessions. */
async function setRoles(
  ctx: Pick<Context, 'clock'>,
  tx: DbTransaction,
  { ownerId, userId, before, after, reason }: RoleChange,
): Promise<string[]> {
  const user = await findUser(tx, userId);
  if (!user) throw new AppError('NOT_FOUND');
  const roles = sortRoles(after);
  // Roles become active with a factor that is set up by the code of this invitation.
  if (before.length === 0) await resetSecondFactor(ctx, tx, userId);
  if (roles.length === 0) await expireStaffCodes(ctx, tx, userId);
  const endedSessionIds = await setOperatorRoles(tx, userId, roles);
  await tx.emit('operators.changed', { userId, byId: ownerId, before: sortRoles(before), after: roles, reason });
  await logAction(ctx, tx, {
    operatorId: ownerId,
    action: before.length === 0 ? 'operator.invite' : roles.length === 0 ? 'operator.remove' : 'operator.roles',
    subjectKind: 'operator',
    subjectId: userId,
    details: { username: user.username, before: before.join(', ') || null, after: roles.join(', ') || null, reason },
  });
  return endedSessionIds;
}

function dropOperatorSessions(ctx: Context, userId: string, endedSessionIds: readonly string[]): void {
  dropSessions(ctx, endedSessionIds);
  ctx.sessions.invalidate({ userIds: [userId] });
  ctx.realtime.disconnect({ userIds: [userId] });
}

function logRoles(ctx: Context, userId: string, roles: readonly OperatorRole[]): void {
  ctx.security.note({ kind: 'rolesChanged', userId, detail: sortRoles(roles).join(', ') });
}

/**
 * Invites a former operator, or a fan whose account was never used for money, because operators have no wallet. Throws
 * VALIDATION on `username` with the reason, CONFLICT if it has roles already.
 */
export async function addStaffMember(
  ctx: Context,
  ownerId: string,
  { username, roles, reason }: BodyOf<typeof inviteStaffMember>,
): Promise<StaffMember> {
  const invitedUser = await findUserByName(ctx.db, username);
  if (!invitedUser) throw createFieldError('username', texts.noSuchUser);
  const endedSessionIds = await ctx.db.transaction(async (tx) => {
    const rolesById = await requireOwner(tx, ownerId);
    if ((rolesById.get(invitedUser.id)?.length ?? 0) > 0)
      throw new AppError('CONFLICT', { message: formatText(texts.alreadyStaff, { username: invitedUser.username }) });
    await requireUnusedAccount(tx, invitedUser.id);
    const sessionIds = await setRoles(ctx, tx, { ownerId, userId: invitedUser.id, before: [], after: roles, reason });
    const code = await createStaffCode(ctx, tx, invitedUser);
    await ctx.mailer.send(tx, createInvitationMail(invitedUser, ctx.config.publicUrl, sortRoles(roles), code));
    return sessionIds;
  });
  dropOperatorSessions(ctx, invitedUser.id, endedSessionIds);
  logRoles(ctx, invitedUser.id, roles);
  return getStaffMember(ctx, invitedUser.id);
}

/**
 * Mails a new code for two-factor set-up, which replaces earlier ones. Throws NOT_FOUND, CONFLICT if the roles are active
 * or were removed.
 */
export async function sendStaffCode(ctx: Context, ownerId: string, userId: string): Promise<StaffMember> {
  await ctx.db.transaction(async (tx) => {
    const roles = (await requireOwner(tx, ownerId)).get(userId);
    const user = roles && (await findUser(tx, userId, { isLocked: true }));
    if (!user) throw new AppError('NOT_FOUND');
    if (roles.length === 0 || user.two_factor_enabled_at !== null)
      throw new AppError('CONFLICT', { message: texts.needsNoCode });
    const code = await createStaffCode(ctx, tx, user);
    await ctx.mailer.send(tx, { ...createStaffCodeMail(user, ctx.config.publicUrl, code), isEssential: true });
    await logAction(ctx, tx, {
      operatorId: ownerId,
      action: 'operator.sendCode',
      subjectKind: 'operator',
      subjectId: userId,
      details: { username: user.username },
    });
  });
  ctx.security.note({ kind: 'rolesChanged', userId, detail: 'new code for two-factor set-up' });
  return getStaffMember(ctx, userId);
}

/**
 * Sets an operator's roles. Throws NOT_FOUND, FORBIDDEN for oneself, CONFLICT when the roles were changed in the
 * meantime.
 */
export async function changeRoles(
  ctx: Context,
  ownerId: string,
  userId: string,
  { from, to, reason }: BodyOf<typeof changeRoute>,
): Promise<StaffMember> {
  const endedSessionIds = await ctx.db.transaction(async (tx) => {
    const before = (await requireOwner(tx, ownerId)).get(userId);
    if (!before) throw new AppError('NOT_FOUND');
    if (userId === ownerId) throw new AppError('FORBIDDEN', { message: texts.ownRolesError });
    if (!hasSameRoles(before, from)) throw new AppError('CONFLICT', { message: texts.rolesAlreadyChanged });
    if (hasSameRoles(before, to)) return [];
    return setRoles(ctx, tx, { ownerId, userId, before, after: to, reason });
  });
  if (!hasSameRoles(from, to)) {
    dropOperatorSessions(ctx, userId, endedSessionIds);
    logRoles(ctx, userId, to);
  }
  return getStaffMember(ctx, userId);
}

/** Ends all sessions of an operator. Throws NOT_FOUND if the user is no operator. */
export async function endStaffSessions(ctx: Context, ownerId: string, userId: string): Promise<StaffMember> {
  const endedSessionIds = await ctx.db.transaction(async (tx) => {
    const roles = (await requireOwner(tx, ownerId)).get(userId);
    const user = roles && (await findUser(tx, userId));
    if (!user) throw new AppError('NOT_FOUND');
    const sessions = await setOperatorRoles(tx, userId, roles);
    await logAction(ctx, tx, {
      operatorId: ownerId,
      action: 'operator.endSessions',
      subjectKind: 'operator',
      subjectId: userId,
      details: { username: user.username, sessions: sessions.length },
    });
    return sessions;
  });
  dropOperatorSessions(ctx, userId, endedSessionIds);
  ctx.security.note({ kind: 'sessionsEnded', userId, detail: 'by an owner' });
  return getStaffMember(ctx, userId);
}

/**
 * Gives roles from the admin CLI. The running server mails the owners. Throws VALIDATION on `username` with the reason.
 * Returns the code for two-factor set-up, undefined if the roles are active or were removed.
 */
export async function setRolesByCli(
  ctx: Pick<Context, 'clock'>,
  db: Pick<Context['db'], 'query' | 'run' | 'transaction'>,
  username: string,
  { roles, reason }: { roles: readonly OperatorRole[]; reason: string },
): Promise<string | undefined> {
  const user = await findUserByName(db, username);
  if (!user) throw createFieldError('username', texts.noSuchUser);
  return db.transaction(async (tx) => {
    const before = (await lockOperators(tx)).get(user.id) ?? [];
    if (roles.length > 0) await requireUnusedAccount(tx, user.id);
    if (roles.length === 0 && before.length === 0) throw createFieldError('username', texts.userHasNoRoles);
    await setRoles(ctx, tx, { ownerId: null, userId: user.id, before, after: roles, reason });
    const changed = await findUser(tx, user.id);
    if (!changed || roles.length === 0 || changed.two_factor_enabled_at !== null) return undefined;
    return createStaffCode(ctx, tx, changed);
  });
}
