import type { TeamRight } from '@stagedoor/contract/atoms/acting.ts';
import type { TestApp, TestUser } from '../../testing/app.ts';

export async function joinTeam(creator: TestUser, member: TestUser, rights: readonly TeamRight[]): Promise<void> {
  const asked = await creator.inject('POST', '/api/creator/team/invitations', { to: member.username, rights });
  const id = asked.json().invitations.find(({ to }: { to: string }) => to === member.username)?.id;
  await member.inject('POST', `/api/teams/invitations/${id}`, { isAccepted: true });
}

/** With null the session acts for the member's own account. */
export async function actingFor(app: TestApp, member: TestUser, creatorId: string | null): Promise<TestUser> {
  const { cookie } = await app.logIn(member);
  const answer = await app.inject('POST', '/api/teams/act', { creatorId }, { cookie });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  const acting = answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  return {
    ...member,
    cookie: acting,
    inject: (method, url, body, headers) => app.inject(method, url, body, { cookie: acting, ...headers }),
  };
}
