/** Teams, spending limits, blocks, geo-blocking and data export. */
import { askArchive } from '@stagedoor/contract/archive.ts';
import { conversationInfo, conversationList, sendText } from '@stagedoor/contract/chat.ts';
import { blockUnblockCustomer, conversationResponse, saveNote } from '@stagedoor/contract/chat-terms.ts';
import { setOwnLimit } from '@stagedoor/contract/own-limits.ts';
import { createDraft } from '@stagedoor/contract/publishing.ts';
import { setRegions } from '@stagedoor/contract/regions.ts';
import { actFor, answerInvitation, getTeam, inviteToTeam, listTeamActs, listTeams } from '@stagedoor/contract/team.ts';
import { noteBrowser } from '../features/accounts/index.ts';
import { join as enter, type Stage } from './studio.ts';
import { HELPER, RETURNED } from './world.ts';

const HOUR_MS = 60 * 60_000;
const CREATOR = 'demo.creator';
const ASKED = 'ingrid.moe';
const BLOCKED = 'owen.pryce';
const [WARY, SENT_AWAY] = ['baptiste.nl', 'jonah.weiss'] as const;
/** Follows between them have ended. */
export const BLOCKS = [
  { creator: CREATOR, fan: BLOCKED },
  { creator: WARY, fan: SENT_AWAY },
] as const;
const FRUGAL = 'noor.haddad';
const HIDDEN_IN = ['IS', 'LI'];

const WRITTEN = [
  { to: 'mateus.figueira', minutesAgo: 61, text: 'There is, from Sunday on. Your name is at the top of it.' },
  {
    to: 'demo.fan',
    minutesAgo: 12,
    text: 'The kiln is opened at six today. Mirele has a minute for a call afterwards, if you like.',
  },
] as const;

async function join({ past, epoch }: Stage): Promise<void> {
  past.moveTo(new Date(epoch.getTime() - 9 * 24 * HOUR_MS));
  await past.call(inviteToTeam, { as: CREATOR, body: { to: HELPER, rights: ['chat', 'posts'] } });
  const { invitations } = await past.call(listTeams, { as: HELPER });
  for (const { id } of invitations)
    await past.call(answerInvitation, { as: HELPER, params: { id }, body: { isAccepted: true } });
  past.moveTo(new Date(epoch.getTime() - 26 * HOUR_MS));
  await past.call(inviteToTeam, { as: CREATOR, body: { to: ASKED, rights: ['figures'] } });
}

/** The helper writes from their own session, so that the creator sees who wrote. */
async function help({ past, epoch, ids }: Stage): Promise<void> {
  await past.call(actFor, { as: HELPER, body: { creatorId: ids.get(CREATOR) } });
  past.moveTo(new Date(epoch.getTime() - 20 * HOUR_MS));
  const draft = { caption: 'Six cups from the Thursday firing, as they came out', price: 0 };
  await past.call(createDraft, { as: HELPER, key: 'a draft of the team', body: draft });
  const { data } = await past.call(conversationList, { as: HELPER });
  for (const { to, minutesAgo, text } of WRITTEN) {
    const talk = data.find(({ customer }) => customer.username === to);
    if (!talk) continue;
    past.moveTo(new Date(epoch.getTime() - minutesAgo * 60_000));
    await past.call(sendText, { as: HELPER, body: { conversationId: talk.id, text } });
    const note = { note: 'Answers within the day, likes short messages.' };
    if (to === 'mateus.figueira') await past.call(saveNote, { as: HELPER, params: { id: talk.id }, body: note });
  }
  await past.call(actFor, { as: HELPER, body: { creatorId: null } });
}

async function comeBack(stage: Stage): Promise<void> {
  const { past, epoch, ids } = stage;
  const receiverId = ids.get(WARY) ?? '';
  past.moveTo(new Date(epoch.getTime() - 6 * HOUR_MS));
  // The history may not contain their conversation.
  const known = await past.call(conversationInfo, { as: SENT_AWAY, params: { id: receiverId } });
  if (!known.conversationId && known.canSend)
    await past.call(sendText, { as: SENT_AWAY, body: { receiverId, text: 'Why do you never answer me?' } });
  past.moveTo(new Date(epoch.getTime() - 5 * HOUR_MS));
  const params = { customerId: ids.get(SENT_AWAY) ?? '' };
  await past.call(blockUnblockCustomer, { as: WARY, params, body: { isBlocked: true } });
  past.moveTo(new Date(epoch.getTime() - 4 * HOUR_MS));
  await enter(stage, { type: 'customer', ...RETURNED });
  await past.logIn(RETURNED.username);
  for (const username of [SENT_AWAY, RETURNED.username])
    await noteBrowser(past.ctx, past.ctx.db, ids.get(username) ?? '', ['the browser of both']);
  if ((await past.call(conversationInfo, { as: RETURNED.username, params: { id: receiverId } })).conversationId) return;
  const body = { receiverId, text: 'Lovely work! May I ask you something?' };
  await past.call(sendText, { as: RETURNED.username, body });
}

async function keepToThemselves({ past, epoch, ids }: Stage): Promise<void> {
  past.moveTo(new Date(epoch.getTime() - 5 * HOUR_MS));
  for (const [period, limit] of [
    ['week', 60],
    ['month', 150],
  ] as const)
    await past.call(setOwnLimit, { as: FRUGAL, params: { period }, body: { limit } });
  const [creatorId, fanId] = [ids.get(CREATOR) ?? '', ids.get(BLOCKED) ?? ''];
  const { conversationId } = await past.call(conversationInfo, { as: BLOCKED, params: { id: creatorId } });
  if (!conversationId) {
    const body = { receiverId: creatorId, text: 'Three messages and no answer. That is rude, you know.' };
    await past.call(sendText, { as: BLOCKED, body });
  }
  await past.call(conversationResponse, { as: CREATOR, params: { customerId: fanId }, body: { status: 'decline' } });
  await past.call(blockUnblockCustomer, { as: CREATOR, params: { customerId: fanId }, body: { isBlocked: true } });
  await past.call(setRegions, { as: CREATOR, body: { codes: HIDDEN_IN } });
  // The export is made when the app starts.
  past.moveTo(epoch);
  await past.call(askArchive, { as: 'demo.fan' });
}

/** The team's messages mark the step as done. */
export async function getHelp(stage: Stage): Promise<void> {
  const { past, epoch } = stage;
  if ((await past.call(listTeamActs, { as: CREATOR })).data.length > 0) return;
  await comeBack(stage);
  await keepToThemselves(stage);
  if ((await past.call(getTeam, { as: CREATOR })).members.length === 0) await join(stage);
  await help(stage);
  past.moveTo(epoch);
}
