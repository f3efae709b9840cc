/** Staff accounts (row J4). */
import * as z from 'zod/mini';
import { proof, username } from './accounts.ts';
import { instant, userId } from './atoms/ids.ts';
import { limit, offset, pageOf } from './atoms/paging.ts';
import { route } from './atoms/route.ts';
import { auditEntry } from './audit.ts';
import { OPERATOR_ROLES } from './operator-rights.ts';
import { ground } from './processor-desk.ts';

/** Days after a change of roles until the operator counts as one of two approvers. */
export const SECOND_PERSON_DAYS = 7;

const role = z.enum(OPERATOR_ROLES);
const roles = z.array(role).check(
  z.maxLength(OPERATOR_ROLES.length),
  z.refine((given) => new Set(given).size === given.length, 'Each role can only be listed once.'),
);

export const readMe = route({
  method: 'GET',
  path: '/admin/me',
  summary: 'Retrieve the operator’s roles and when their re-authentication expires',
  auth: 'operator',
  rate: 'read',
  response: z.object({ roles: z.array(role), provenUntil: instant }),
});
export const proveMe = route({
  method: 'POST',
  path: '/admin/prove',
  summary: 'Re-authenticate the current session for actions on money, documents and roles',
  auth: 'operator',
  rate: 'sensitive',
  body: proof,
  response: z.object({ provenUntil: instant }),
});

const member = z.object({
  id: userId,
  username: z.string(),
  name: z.string(),
  avatarUrl: z.nullable(z.string()),
  roles: z.array(role),
  hasSecondFactor: z.boolean(),
  isBlocked: z.boolean(),
  lastSeenAt: z.nullable(instant),
  sessions: z.number(),
  /** Null if they already count or their roles need no second approver. */
  countsFrom: z.nullable(instant),
});
export type TeamMember = z.infer<typeof member>;

export const listTeam = route({
  method: 'GET',
  path: '/admin/team',
  summary: 'List current and former staff by name',
  auth: 'operator',
  rate: 'read',
  response: z.object({ data: z.array(member) }),
});
export const listTeamChanges = route({
  method: 'GET',
  path: '/admin/team-changes',
  summary: 'List role changes with operator and reason, newest first',
  auth: 'operator',
  rate: 'read',
  query: z.object({ limit, offset }),
  response: pageOf(auditEntry),
});
export const invitation = z.object({
  username,
  roles: roles.check(z.minLength(1, 'Choose at least one role.')),
  ground,
});
export const inviteOperator = route({
  method: 'POST',
  path: '/admin/team',
  summary: 'Add an unused account to staff. The account holder and all owners are notified by email',
  auth: 'operator',
  rate: 'sensitive',
  body: invitation,
  response: member,
  errors: ['CONFLICT'],
});
export const changeRoles = route({
  method: 'PUT',
  path: '/admin/team/:id',
  summary: 'Update a staff member’s roles and log them out. Fails with CONFLICT if the roles have changed',
  auth: 'operator',
  rate: 'sensitive',
  params: z.object({ id: userId }),
  body: z.object({ from: roles, to: roles, ground }),
  response: member,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
export const endOperatorSessions = route({
  method: 'POST',
  path: '/admin/team/:id/end-sessions',
  summary: 'Log a staff member out of all sessions',
  auth: 'operator',
  rate: 'sensitive',
  params: z.object({ id: userId }),
  response: member,
  errors: ['NOT_FOUND'],
});
