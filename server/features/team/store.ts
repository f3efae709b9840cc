import type { TeamRight } from '@stagedoor/contract/atoms/acting.ts';
import type { TeamInvitationId, UserId } from '@stagedoor/contract/atoms/ids.ts';
import type { Executor, Statement } from '../../kernel/db.ts';

export type Membership = { creatorId: UserId; memberId: UserId; rights: TeamRight[]; since: Date };
const MEMBERSHIP = 'creator_id as "creatorId", member_id as "memberId", rights, since';
const MEMBERS: Statement = {
  name: 'team-members',
  text: `select ${MEMBERSHIP} from team_members where creator_id = $1 order by since, member_id`,
};
const MEMBERSHIPS: Statement = {
  name: 'team-memberships',
  text: `select ${MEMBERSHIP} from team_members where member_id = $1 order by since, creator_id`,
};
const ONE: Statement = {
  name: 'team-member',
  text: `select ${MEMBERSHIP} from team_members where creator_id = $1 and member_id = $2`,
};
const LOCK: Statement = { name: 'team-member-locked', text: `${ONE.text} for update` };

export const membersOf = (db: Executor, creatorId: string) => db.run<Membership>(MEMBERS, [creatorId]);
export const membershipsOf = (db: Executor, memberId: string) => db.run<Membership>(MEMBERSHIPS, [memberId]);

/** With a lock, the membership neither ends nor changes until the transaction ends. */
export async function findMembership(
  db: Executor,
  creatorId: string,
  memberId: string,
  { isLocked = false } = {},
): Promise<Membership | undefined> {
  return (await db.run<Membership>(isLocked ? LOCK : ONE, [creatorId, memberId]))[0];
}

const ADD: Statement = {
  name: 'team-add',
  text: `insert into team_members (creator_id, member_id, rights, since) values ($1, $2, $3, $4)
    on conflict (creator_id, member_id) do update set rights = excluded.rights`,
};
export async function addMember(tx: Executor, { creatorId, memberId, rights, since }: Membership): Promise<void> {
  await tx.run(ADD, [creatorId, memberId, rights, since]);
}

const SET_RIGHTS: Statement = {
  name: 'team-set-rights',
  text: 'update team_members set rights = $3 where creator_id = $1 and member_id = $2',
};
export async function setRights(tx: Executor, creatorId: string, memberId: string, rights: readonly TeamRight[]) {
  await tx.run(SET_RIGHTS, [creatorId, memberId, rights]);
}

const REMOVE: Statement = {
  name: 'team-remove',
  text: 'delete from team_members where creator_id = $1 and member_id = $2 returning member_id',
};
export async function removeMember(tx: Executor, creatorId: string, memberId: string): Promise<boolean> {
  return (await tx.run(REMOVE, [creatorId, memberId])).length > 0;
}

const ALONE: Statement = {
  name: 'team-alone',
  text: `select pg_advisory_xact_lock(hashtextextended('team ' || $1::text, 0))`,
};
/** Locks the team against other invitations and joins until the transaction ends. */
export async function lockTeam(tx: Executor, creatorId: string): Promise<void> {
  await tx.run(ALONE, [creatorId]);
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
const INVITED: Statement = {
  name: 'team-invited',
  text: `select ${INVITATION} from team_invitations where creator_id = $1 and expires_at > $2 order by id`,
};
const INVITATIONS: Statement = {
  name: 'team-invitations',
  text: `select ${INVITATION} from team_invitations where (user_id = $1 or email = $2::citext) and expires_at > $3 order by id`,
};
export const invitedBy = (db: Executor, creatorId: string, now: Date) => db.run<Invitation>(INVITED, [creatorId, now]);
/** Finds invitations to an account by its id or its address. */
export const invitationsTo = (db: Executor, to: { id: string; email: string }, now: Date) =>
  db.run<Invitation>(INVITATIONS, [to.id, to.email, now]);

const INVITE: Statement = {
  name: 'team-invite',
  text: `insert into team_invitations (id, creator_id, user_id, email, rights, created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7)`,
};
const UNINVITE: Statement = {
  name: 'team-uninvite',
  text: 'delete from team_invitations where creator_id = $1 and (user_id = $2 or email = $3::citext)',
};
/** Replaces an earlier invitation to the same user. */
export async function invite(tx: Executor, row: Invitation, now: Date): Promise<void> {
  await tx.run(UNINVITE, [row.creatorId, row.userId, row.email]);
  await tx.run(INVITE, [row.id, row.creatorId, row.userId, row.email, row.rights, now, row.expiresAt]);
}

export async function uninvite(tx: Executor, creatorId: string, to: { id: string; email: string }): Promise<void> {
  await tx.run(UNINVITE, [creatorId, to.id, to.email]);
}

const INVITER: Statement = {
  name: 'team-inviter',
  text: 'select creator_id as "creatorId" from team_invitations where id = $1',
};
export async function findInviter(db: Executor, id: string): Promise<UserId | undefined> {
  return (await db.run<{ creatorId: UserId }>(INVITER, [id]))[0]?.creatorId;
}

const TAKE: Statement = {
  name: 'team-take',
  text: `delete from team_invitations where id = $1 returning ${INVITATION}`,
};
export async function takeInvitation(tx: Executor, id: string): Promise<Invitation | undefined> {
  return (await tx.run<Invitation>(TAKE, [id]))[0];
}

const PURGE: Statement = { name: 'team-purge', text: 'delete from team_invitations where expires_at <= $1' };
export async function purge(db: Executor, now: Date): Promise<void> {
  await db.run(PURGE, [now]);
}

const ERASE: Statement = {
  name: 'team-erase',
  text: 'delete from team_invitations where creator_id = $1 or user_id = $1',
};
export async function forgetInvitations(tx: Executor, userId: string): Promise<void> {
  await tx.run(ERASE, [userId]);
}

export type Act = { id: string; at: Date; memberId: UserId; what: string; subject: string; isRefused: boolean };
const KEEP: Statement = {
  name: 'team-keep',
  text: 'insert into team_acts (id, creator_id, member_id, at, what, subject, refused) values ($1, $2, $3, $4, $5, $6, $7)',
};
type Kept = Pick<Act, 'id' | 'at' | 'memberId' | 'what' | 'subject'> & { creatorId: string; refused: string | null };
export async function keepAct(db: Executor, act: Kept): Promise<void> {
  await db.run(KEEP, [act.id, act.creatorId, act.memberId, act.at, act.what, act.subject, act.refused]);
}

const ACTS: Statement = {
  name: 'team-acts',
  text: `select a.id, a.at, a.member_id as "memberId", a.what, a.subject, exists (select from team_acts r where r.refused = a.id) as "isRefused"
    from team_acts a where a.creator_id = $1 and a.refused is null and a.id < $2 order by a.id desc offset $3 limit $4`,
};
const COUNT: Statement = {
  name: 'team-acts-count',
  text: 'select count(*)::int as count from team_acts where creator_id = $1 and refused is null',
};
/** Returns the newest actions first. */
export const actsOf = (db: Executor, creatorId: string, before: string, skip: number, limit: number) =>
  db.run<Act>(ACTS, [creatorId, before, skip, limit]);
export async function countActs(db: Executor, creatorId: string): Promise<number> {
  return (await db.run<{ count: number }>(COUNT, [creatorId]))[0]?.count ?? 0;
}
