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
    subject: 'Somebody asks you into their team',
    text: `Hello,

@${creatorUsername} would like you to help at Stagedoor:

${rights.map((right) => `  ${RIGHT_WORDS[right].name}: ${RIGHT_WORDS[right].text}`).join('\n')}

You do it under a log-in of your own, and @${creatorUsername} sees what you did. Log in with the account of this address, or make one, and answer until ${minuteText(expiresAt)}:

${publicUrl}${ownTeamsPath(type)}

If you do not know @${creatorUsername}, leave this mail unanswered.
`,
  };
}

export function joinedMail(to: { email: string; username: string }, memberName: string, publicUrl: string): Mail {
  return {
    to: to.email,
    subject: 'Somebody joined your team',
    text: `Hello ${to.username},

${memberName} accepted, and can act for you from now on. What they may, and what they do, is here:

${publicUrl}${TEAM_PATH}
`,
  };
}
