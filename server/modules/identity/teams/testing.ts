import type { TeamRight } from '@stagedoor/contract/shared/delegation.ts';
import type { RouteSpec } from '@stagedoor/contract/shared/route.ts';
import type { TestApp, TestUser } from '../../../testing/app.ts';
import { getSample, toSampleUrl } from '../../../testing/samples.ts';

/** Names of routes that no team right may open: credentials, payout methods, the team itself, purchases and exports. */
export const ROUTES_CLOSED_TO_TEAMS: readonly string[] = [
  'changePassword',
  'startTwoFactorSetup',
  'disableTwoFactor',
  'listSessions',
  'revokeSession',
  'requestAccountDeletion',
  'addPayoutMethod',
  'replacePayoutMethod',
  'removePayoutMethod',
  'listPayoutMethods',
  'submitVerification',
  'blockUnblockCustomer',
  'inviteToTeam',
  'updateMemberRights',
  'removeTeamMember',
  'getTeam',
  'listTeamActions',
  'requestDataExport',
  'downloadDataExport',
  'respondToTeamInvitation',
  'sendTip',
  'unlockPost',
  'downloadEarningsStatement',
];

export async function joinTeam(creator: TestUser, member: TestUser, rights: readonly TeamRight[]): Promise<void> {
  const response = await creator.inject('POST', '/api/creator/team/invitations', { to: member.username, rights });
  const id = response.json().invitations.find(({ to }: { to: string }) => to === member.username)?.id;
  await member.inject('POST', `/api/teams/invitations/${id}`, { isAccepted: true });
}

/** With null the session acts for the member's own account. */
export async function createDelegatedSession(
  app: TestApp,
  member: TestUser,
  creatorId: string | null,
): Promise<TestUser> {
  const { cookie } = await app.logIn(member);
  const response = await app.inject('POST', '/api/teams/delegation', { creatorId }, { cookie });
  if (response.statusCode !== 200) throw new Error(response.body);
  const delegatedCookie = response.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  return {
    ...member,
    cookie: delegatedCookie,
    inject: (method, url, body, headers) => app.inject(method, url, body, { cookie: delegatedCookie, ...headers }),
  };
}

/** Sends a valid request to a route, so that only access control can refuse it. */
export function requestSample(user: TestUser, route: RouteSpec) {
  const { body } = getSample(route);
  const payload = route.method === 'GET' || body === undefined ? undefined : JSON.stringify(body);
  const headers = payload === undefined ? {} : { 'content-type': 'application/json' };
  return user.inject(route.method, toSampleUrl(route), payload, headers);
}
