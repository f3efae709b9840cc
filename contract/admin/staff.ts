/** Staff accounts (row J4). */
import * as z from 'zod/mini';
import { reauthentication, username } from '../identity/accounts.ts';
import { instant, userId } from '../shared/ids.ts';
import { limit, offset, toPageSchema } from '../shared/paging.ts';
import { route } from '../shared/route.ts';
import { auditEntry } from './audit-log.ts';
import { OPERATOR_ROLES } from './operator-rights.ts';
import { reason } from './processor-webhooks.ts';

/** Days after a change of roles until the operator counts as one of two approvers. */
export const SECOND_APPROVER_DAYS = 7;

/** How long the code is valid with which a staff member sets up two-factor authentication. */
export const STAFF_CODE_HOURS = 48;

const role = z.enum(OPERATOR_ROLES);
const roles = z.array(role).check(
  z.maxLength(OPERATOR_ROLES.length),
  z.refine((chosen) => new Set(chosen).size === chosen.length, 'Each role can only be listed once.'),
);

export const getOperatorAccess = route({
  method: 'GET',
  path: '/admin/me',
  summary: 'Retrieve the operator’s roles and when their re-authentication expires',
  auth: 'operator',
  rate: 'read',
  response: z.object({ roles: z.array(role), stepUpExpiresAt: instant }),
});
export const stepUp = route({
  method: 'POST',
  path: '/admin/step-up',
  summary: 'Re-authenticate the current session for actions on money, documents and roles',
  auth: 'operator',
  rate: 'sensitive',
  body: reauthentication,
  response: z.object({ stepUpExpiresAt: instant }),
});

const staffMember = z.object({
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
  approverFrom: z.nullable(instant),
});
export type StaffMember = z.infer<typeof staffMember>;

export const listStaff = route({
  method: 'GET',
  path: '/admin/staff',
  summary: 'List current and former staff by name',
  auth: 'operator',
  rate: 'read',
  response: z.object({ data: z.array(staffMember) }),
});
export const listStaffChanges = route({
  method: 'GET',
  path: '/admin/staff-changes',
  summary: 'List role changes with operator and reason, newest first',
  auth: 'operator',
  rate: 'read',
  query: z.object({ limit, offset }),
  response: toPageSchema(auditEntry),
});
export const staffInvitation = z.object({
  username,
  roles: roles.check(z.minLength(1, 'Choose at least one role.')),
  reason,
});
export const inviteStaffMember = route({
  method: 'POST',
  path: '/admin/staff',
  summary: 'Invite an unused account to staff. The roles become active with a second factor set up by the emailed code',
  auth: 'operator',
  rate: 'sensitive',
  body: staffInvitation,
  response: staffMember,
  errors: ['CONFLICT'],
});
export const sendStaffCode = route({
  method: 'POST',
  path: '/admin/staff/:id/code',
  summary: 'Email a new code for two-factor set-up to a staff member whose role is not active yet',
  auth: 'operator',
  rate: 'sensitive',
  params: z.object({ id: userId }),
  response: staffMember,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
export const updateStaffRoles = route({
  method: 'PUT',
  path: '/admin/staff/:id',
  summary: 'Update a staff member’s roles and log them out. Fails with CONFLICT if the roles have changed',
  auth: 'operator',
  rate: 'sensitive',
  params: z.object({ id: userId }),
  body: z.object({ from: roles, to: roles, reason }),
  response: staffMember,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
export const endStaffSessions = route({
  method: 'POST',
  path: '/admin/staff/:id/end-sessions',
  summary: 'Log a staff member out of all sessions',
  auth: 'operator',
  rate: 'sensitive',
  params: z.object({ id: userId }),
  response: staffMember,
  errors: ['NOT_FOUND'],
});
