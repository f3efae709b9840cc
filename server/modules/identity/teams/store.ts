import type { TeamRight } from '@stagedoor/contract/shared/delegation.ts';
import type { TeamInvitationId, UserId } from '@stagedoor/contract/shared/ids.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';

export type Membership = { creatorId: UserId; memberId: UserId; rights: TeamRight[]; since: Date };
const MEMBERSHIP = 'creator_id as "creatorId", member_id as "memberId", rights, since';
const MEMBERS: SqlStatement = {
  name: 'teams-members',
  text: `select ${MEMBERSHIP} from team_members where creator_id = $1 order by since, member_id`,
};
const MEMBERSHIPS: SqlStatement = {
  name: 'teams-memberships',
  text: `select ${MEMBERSHIP} from team_members where member_id = $1 order by since, creator_id`,
};
const FIND_MEMBER: SqlStatement = {
  name: 'teams-member',
  text: `select ${MEMBERSHIP} from team_members where creator_id = $1 and member_id = $2`,
};
const LOCK: SqlStatement = { name: 'teams-member-locked', text: `${FIND_MEMBER.text} for update` };

export const listMembers = (db: Executor, creatorId: string) => db.run<Membership>(MEMBERS, [creatorId]);
export const listMemberships = (db: Executor, memberId: string) => db.run<Membership>(MEMBERSHIPS, [memberId]);

/** With a lock, the membership neither ends nor changes until the transaction ends. */
export async function findMembership(
  db: Executor,
  creatorId: string,
  memberId: string,
  { isLocked = false } = {},
): Promise<Membership | undefined> {
  return (await db.run<Membership>(isLocked ? LOCK : FIND_MEMBER, [creatorId, memberId]))[0];
}

const ADD: SqlStatement = {
  name: 'teams-add',
  text: `insert into team_members (creator_id, member_id, rights, since) values ($1, $2, $3, $4)
    on conflict (creator_id, member_id) do update set rights = excluded.rights`,
};
export async function addMember(tx: Executor, { creatorId, memberId, rights, since }: Membership): Promise<void> {
  await tx.run(ADD, [creatorId, memberId, rights, since]);
}

const SET_RIGHTS: SqlStatement = {
  name: 'teams-set-rights',
  text: 'update team_members set rights = $3 where creator_id = $1 and member_id = $2',
};
export async function setRights(tx: Executor, creatorId: string, memberId: string, rights: readonly TeamRight[]) {
  await tx.run(SET_RIGHTS, [creatorId, memberId, rights]);
}

const REMOVE: SqlStatement = {
  name: 'teams-remove',
  text: 'delete from team_members where creator_id = $1 and member_id = $2 returning member_id',
};
export async function removeMember(tx: Executor, creatorId: string, memberId: string): Promise<boolean> {
  return (await tx.run(REMOVE, [creatorId, memberId])).length > 0;
}

const LOCK_TEAM: SqlStatement = {
  name: 'teams-lock',
  text: `select pg_advisory_xact_lock(hashtextextended('team ' || $1::text, 0))`,
};
/** Locks the team against other invitations and joins until the transaction ends. */
export async function lockTeam(tx: Executor, creatorId: string): Promise<void> {
  await tx.run(LOCK_TEAM, [creatorId]);
}

export type Invitation = {
  id: TeamInvitationId;
  creatorId: UserId;
  userId: UserId | null;
  email: string | null;
  rights: TeamRight[];
  expiresAt: Date;
};
const INVITATION = 'id, creator_id as "creatorId", user_id as "userId", email, rights, expires_at as "expiresAt"';
const LIST_SENT: SqlStatement = {
  name: 'teams-list-sent',
  text: `select ${INVITATION} from team_invitations where creator_id = $1 and expires_at > $2 order by id`,
};
const LIST_RECEIVED: SqlStatement = {
  name: 'teams-list-received',
  text: `select ${INVITATION} from team_invitations where (user_id = $1 or email = $2::citext) and expires_at > $3 order by id`,
};
export const listSentInvitations = (db: Executor, creatorId: string, now: Date) =>
  db.run<Invitation>(LIST_SENT, [creatorId, now]);
/** Finds invitations to an account by its id or its address. */
export const listReceivedInvitations = (db: Executor, recipient: { id: string; email: string }, now: Date) =>
  db.run<Invitation>(LIST_RECEIVED, [recipient.id, recipient.email, now]);

const INVITE: SqlStatement = {
  name: 'teams-invite',
  text: `insert into team_invitations (id, creator_id, user_id, email, rights, created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7)`,
};
const DELETE_INVITATIONS_TO: SqlStatement = {
  name: 'teams-delete-invitations-to',
  text: 'delete from team_invitations where creator_id = $1 and (user_id = $2 or email = $3::citext)',
};
/** Replaces an earlier invitation to the same user. */
export async function insertInvitation(tx: Executor, row: Invitation, now: Date): Promise<void> {
  await tx.run(DELETE_INVITATIONS_TO, [row.creatorId, row.userId, row.email]);
  await tx.run(INVITE, [row.id, row.creatorId, row.userId, row.email, row.rights, now, row.expiresAt]);
}

export async function deleteInvitationsTo(
  tx: Executor,
  creatorId: string,
  recipient: { id: string; email: string },
): Promise<void> {
  await tx.run(DELETE_INVITATIONS_TO, [creatorId, recipient.id, recipient.email]);
}

const FIND_INVITER: SqlStatement = {
  name: 'teams-inviter',
  text: 'select creator_id as "creatorId" from team_invitations where id = $1',
};
export async function findInviter(db: Executor, id: string): Promise<UserId | undefined> {
  return (await db.run<{ creatorId: UserId }>(FIND_INVITER, [id]))[0]?.creatorId;
}

const CONSUME_INVITATION: SqlStatement = {
  name: 'teams-take',
  text: `delete from team_invitations where id = $1 returning ${INVITATION}`,
};
export async function consumeInvitation(tx: Executor, id: string): Promise<Invitation | undefined> {
  return (await tx.run<Invitation>(CONSUME_INVITATION, [id]))[0];
}

const PURGE: SqlStatement = { name: 'teams-purge', text: 'delete from team_invitations where expires_at <= $1' };
export async function purgeExpiredInvitations(db: Executor, now: Date): Promise<void> {
  await db.run(PURGE, [now]);
}

const DELETE_INVITATIONS: SqlStatement = {
  name: 'teams-erase',
  text: 'delete from team_invitations where creator_id = $1 or user_id = $1',
};
export async function deleteInvitations(tx: Executor, userId: string): Promise<void> {
  await tx.run(DELETE_INVITATIONS, [userId]);
}

export type TeamActionRow = {
  id: string;
  at: Date;
  memberId: UserId;
  description: string;
  subject: string;
  isRefused: boolean;
};
const INSERT_ACTION: SqlStatement = {
  name: 'teams-insert-action',
  text: 'insert into team_actions (id, creator_id, member_id, at, action, subject, refused_action_id) values ($1, $2, $3, $4, $5, $6, $7)',
};
type NewTeamAction = Pick<TeamActionRow, 'id' | 'at' | 'memberId' | 'subject'> & {
  creatorId: string;
  action: string;
  refusedActionId: string | null;
};
export async function insertAction(db: Executor, action: NewTeamAction): Promise<void> {
  await db.run(INSERT_ACTION, [
    action.id,
    action.creatorId,
    action.memberId,
    action.at,
    action.action,
    action.subject,
    action.refusedActionId,
  ]);
}

const LIST_ACTIONS: SqlStatement = {
  name: 'teams-list-actions',
  text: `select a.id, a.at, a.member_id as "memberId", a.action as description, a.subject, exists (select from team_actions r where r.refused_action_id = a.id) as "isRefused"
    from team_actions a where a.creator_id = $1 and a.refused_action_id is null and a.id < $2 order by a.id desc offset $3 limit $4`,
};
const COUNT_ACTIONS: SqlStatement = {
  name: 'teams-count-actions',
  text: 'select count(*)::int as count from team_actions where creator_id = $1 and refused_action_id is null',
};
/** Returns the newest actions first. */
export const listActions = (db: Executor, creatorId: string, before: string, skip: number, limit: number) =>
  db.run<TeamActionRow>(LIST_ACTIONS, [creatorId, before, skip, limit]);
export async function countActions(db: Executor, creatorId: string): Promise<number> {
  return (await db.run<{ count: number }>(COUNT_ACTIONS, [creatorId]))[0]?.count ?? 0;
}
