/**
 * No mail contains a link that logs in. Subjects name no user, because others may see them. An invitation may go to a
 * stranger, so it names the creator by username. A display name is free text and could be abused.
 */

import { ownTeamsPath, TEAM_PATH } from '@stagedoor/contract/identity/team-addresses.ts';
import { TEAM_RIGHT_LABELS } from '@stagedoor/contract/identity/teams.ts';
import type { TeamRight } from '@stagedoor/contract/shared/delegation.ts';
import { formatMinute } from '@stagedoor/contract/shared/times.ts';
import type { Mail } from '../../../platform/mail.ts';

type InvitationMailInput = {
  to: string;
  type: string;
  creatorUsername: string;
  rights: readonly TeamRight[];
  expiresAt: Date;
};

export function createInvitationMail(
  { to, type, creatorUsername, rights, expiresAt }: InvitationMailInput,
  publicUrl: string,
): Mail {
  return {
    to,
    subject: 'You’re invited to a team',
    text: `Hello,

@${creatorUsername} invited you to their team on Stagedoor with these permissions:

${rights.map((right) => `  ${TEAM_RIGHT_LABELS[right].name}: ${TEAM_RIGHT_LABELS[right].text}`).join('\n')}

You’ll use your own login, and @${creatorUsername} sees what you do. Log in or sign up with this email and respond by ${formatMinute(expiresAt)}:

${publicUrl}${ownTeamsPath(type)}

If you don’t know @${creatorUsername}, ignore this email.
`,
  };
}

export function createMemberJoinedMail(
  to: { email: string; username: string },
  memberName: string,
  publicUrl: string,
): Mail {
  return {
    to: to.email,
    subject: 'New team member',
    text: `Hello ${to.username},

${memberName} joined your team. Manage permissions and see activity:

${publicUrl}${TEAM_PATH}
`,
  };
}
