/**
 * No mail contains a link that logs in. Subjects name no user, because others may see them. An invitation may go to a
 * stranger, so it names the creator by username. A display name is free text and could be abused.
 */

import type { TeamRight } from '@stagedoor/contract/atoms/acting.ts';
import { minuteText } from '@stagedoor/contract/atoms/times.ts';
import { RIGHT_WORDS } from '@stagedoor/contract/team.ts';
import { ownTeamsPath, TEAM_PATH } from '@stagedoor/contract/team-addresses.ts';
import type { Mail } from '../../kernel/mail.ts';

type Asked = { to: string; type: string; creatorUsername: string; rights: readonly TeamRight[]; expiresAt: Date };

export function invitationMail({ to, type, creatorUsername, rights, expiresAt }: Asked, publicUrl: string): Mail {
  return {
    to,
    subject: 'You’re invited to a team',
    text: `Hello,

@${creatorUsername} invited you to their team on Stagedoor with these permissions:

${rights.map((right) => `  ${RIGHT_WORDS[right].name}: ${RIGHT_WORDS[right].text}`).join('\n')}

You’ll use your own login, and @${creatorUsername} sees what you do. Log in or sign up with this email and respond by ${minuteText(expiresAt)}:

${publicUrl}${ownTeamsPath(type)}

If you don’t know @${creatorUsername}, ignore this email.
`,
  };
}

export function joinedMail(to: { email: string; username: string }, memberName: string, publicUrl: string): Mail {
  return {
    to: to.email,
    subject: 'New team member',
    text: `Hello ${to.username},

${memberName} joined your team. Manage permissions and see activity:

${publicUrl}${TEAM_PATH}
`,
  };
}
