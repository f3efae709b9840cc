/**
 * Team members act on behalf of a creator with their own session, and every action is recorded. The `team` field of a
 * route declares who may call it.
 */
import * as z from 'zod/mini';
import { TEAM_RIGHTS, type TeamRight } from '../shared/delegation.ts';
import { instant, teamInvitationId, userId } from '../shared/ids.ts';
import { pageQuery, toPageSchema } from '../shared/paging.ts';
import { route } from '../shared/route.ts';
import { EMAIL_PATTERN, USERNAME_PATTERN, userType } from './accounts.ts';

export const TEAM_RIGHT_LABELS: Readonly<Record<TeamRight, { name: string; text: string }>> = {
  chat: { name: 'Chat', text: 'Read and reply to chats, send broadcasts, see chat sales' },
  posts: { name: 'Posts', text: 'Create, edit and delete posts, and manage media' },
  figures: { name: 'Analytics', text: 'View earnings, balance and followers (no payouts or statements)' },
};

const rights = z.array(z.enum(TEAM_RIGHTS)).check(
  z.minLength(1, 'Choose at least one permission'),
  z.maxLength(TEAM_RIGHTS.length, 'Choose each permission once'),
  z.refine((chosen) => new Set(chosen).size === chosen.length, 'Choose each permission once'),
);
const teamUser = z.object({ id: userId, username: z.string(), name: z.string(), avatarUrl: z.nullable(z.string()) });
const info = z.object({ info: z.string() });
const memberParams = z.object({ id: userId });
const invitationParams = z.object({ id: teamInvitationId });

export const teamMember = z.object({ user: teamUser, rights, since: instant });
export type TeamMember = z.infer<typeof teamMember>;
/** `to`: as typed. */
export const teamInvitation = z.object({ id: teamInvitationId, to: z.string(), rights, expiresAt: instant });
export type TeamInvitation = z.infer<typeof teamInvitation>;
export const creatorTeam = z.object({
  members: z.array(teamMember),
  invitations: z.array(teamInvitation),
  max: z.number(),
});
export type CreatorTeam = z.infer<typeof creatorTeam>;

export const getTeam = route({
  method: 'GET',
  path: '/creator/team',
  summary: 'List your team’s members, their permissions and pending invitations',
  auth: 'creator',
  rate: 'read',
  response: creatorTeam,
});
export const teamInvitationBody = z.object({
  to: z.string('Enter a username or email').check(
    z.trim(),
    z.minLength(1, 'Enter a username or email'),
    z.maxLength(254, 'At most 254 characters'),
    z.refine((to) => EMAIL_PATTERN.test(to) || USERNAME_PATTERN.test(to), 'Enter a username or email'),
  ),
  rights,
});
/** Does not reveal whether an e-mail address has an account. */
export const inviteToTeam = route({
  method: 'POST',
  path: '/creator/team/invitations',
  summary: 'Invite a user to your team by username or email, replacing any earlier invitation',
  auth: 'creator',
  rate: 'sensitive',
  body: teamInvitationBody,
  response: creatorTeam,
  errors: ['CONFLICT'],
});
export const withdrawTeamInvitation = route({
  method: 'DELETE',
  path: '/creator/team/invitations/:id',
  summary: 'Cancel a team invitation',
  auth: 'creator',
  rate: 'write',
  params: invitationParams,
  response: creatorTeam,
  errors: ['NOT_FOUND'],
});
export const updateMemberRights = route({
  method: 'PATCH',
  path: '/creator/team/members/:id',
  summary: 'Update a team member’s permissions; removing one ends their sessions for this creator',
  auth: 'creator',
  rate: 'write',
  params: memberParams,
  body: z.object({ rights }),
  response: creatorTeam,
  errors: ['NOT_FOUND'],
});
export const removeTeamMember = route({
  method: 'DELETE',
  path: '/creator/team/members/:id',
  summary: 'Remove a team member and end their sessions for this creator',
  auth: 'creator',
  rate: 'write',
  params: memberParams,
  response: creatorTeam,
  errors: ['NOT_FOUND'],
});

/** `subject`: ids of affected items. */
export const teamAction = z.object({
  id: z.string(),
  at: instant,
  member: teamUser,
  description: z.string(),
  subject: z.string(),
  isRefused: z.boolean(),
});
export type TeamAction = z.infer<typeof teamAction>;
export const listTeamActions = route({
  method: 'GET',
  path: '/creator/team/actions',
  summary: 'List actions your team took on your behalf, newest first',
  auth: 'creator',
  rate: 'read',
  query: pageQuery,
  response: toPageSchema(teamAction),
});

export const ownTeams = z.object({
  memberships: z.array(z.object({ creator: teamUser, rights, since: instant })),
  invitations: z.array(z.object({ id: teamInvitationId, creator: teamUser, rights, expiresAt: instant })),
  onBehalfOf: z.nullable(userId),
});
export type OwnTeams = z.infer<typeof ownTeams>;

export const listOwnTeams = route({
  method: 'GET',
  path: '/teams',
  summary: 'List the teams you belong to and your pending invitations',
  auth: 'session',
  team: 'self',
  rate: 'read',
  response: ownTeams,
});
export const respondToTeamInvitation = route({
  method: 'POST',
  path: '/teams/invitations/:id',
  summary: 'Accept or decline a team invitation',
  auth: 'session',
  rate: 'write',
  params: invitationParams,
  body: z.object({ isAccepted: z.boolean() }),
  response: ownTeams,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
export const leaveTeam = route({
  method: 'DELETE',
  path: '/teams/:id',
  summary: 'Leave a team; `id` is the creator’s',
  auth: 'session',
  rate: 'write',
  params: memberParams,
  response: info,
  errors: ['NOT_FOUND'],
});
/** The new session has the same expiry. `type` is the user's own type. */
export const startDelegation = route({
  method: 'POST',
  path: '/teams/delegation',
  summary: 'Start acting for a creator whose team you belong to; null returns to your own account',
  auth: 'session',
  team: 'self',
  rate: 'write',
  body: z.object({ creatorId: z.nullable(userId) }),
  response: z.object({ info: z.string(), type: userType }),
  errors: ['NOT_FOUND'],
});
