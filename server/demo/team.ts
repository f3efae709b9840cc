import type { DemoContext } from './demo-context.ts';
/** Teams, spending limits, blocks, geo-blocking and data export. */

import { updateSpendingLimit } from '@stagedoor/contract/commerce/spending-limits.ts';
import { createDraft } from '@stagedoor/contract/content/drafts.ts';
import { requestDataExport } from '@stagedoor/contract/identity/data-export.ts';
import { updateGeoBlocks } from '@stagedoor/contract/identity/geo-blocks.ts';
import {
  getTeam,
  inviteToTeam,
  listOwnTeams,
  listTeamActions,
  respondToTeamInvitation,
  startDelegation,
} from '@stagedoor/contract/identity/teams.ts';
import { getConversationInfo, getConversationList, sendText } from '@stagedoor/contract/messaging/chat.ts';
import {
  blockUnblockCustomer,
  respondToChatRequest,
  saveConversationNote,
} from '@stagedoor/contract/messaging/chat-settings.ts';
import { storeBrowserFingerprints } from '../modules/identity/accounts/index.ts';
import { createUser } from './creators.ts';
import { HELPER, RETURNED_FAN } from './world.ts';

const HOUR_MS = 60 * 60_000;
const CREATOR = 'demo.creator';
const INVITED = 'ingrid.moe';
const BLOCKED = 'owen.pryce';
const [BLOCKING_CREATOR, BLOCKED_FAN] = ['baptiste.nl', 'jonah.weiss'] as const;
/** Follows between them have ended. */
export const BLOCKS = [
  { creator: CREATOR, fan: BLOCKED },
  { creator: BLOCKING_CREATOR, fan: BLOCKED_FAN },
] as const;
const LIMITED_FAN = 'noor.haddad';
const HIDDEN_IN = ['IS', 'LI'];

const TEAM_MESSAGES = [
  { to: 'mateus.figueira', minutesAgo: 61, text: 'There is, from Sunday on. Your name is at the top of it.' },
  {
    to: 'demo.fan',
    minutesAgo: 12,
    text: 'The kiln is opened at six today. Mirele has a minute for a call afterwards, if you like.',
  },
] as const;

async function inviteTeam({ pastApp, epoch }: DemoContext): Promise<void> {
  pastApp.moveTo(new Date(epoch.getTime() - 9 * 24 * HOUR_MS));
  await pastApp.call(inviteToTeam, { as: CREATOR, body: { to: HELPER, rights: ['chat', 'posts'] } });
  const { invitations } = await pastApp.call(listOwnTeams, { as: HELPER });
  for (const { id } of invitations)
    await pastApp.call(respondToTeamInvitation, { as: HELPER, params: { id }, body: { isAccepted: true } });
  pastApp.moveTo(new Date(epoch.getTime() - 26 * HOUR_MS));
  await pastApp.call(inviteToTeam, { as: CREATOR, body: { to: INVITED, rights: ['figures'] } });
}

/** The helper writes from their own session, so that the creator sees who wrote. */
async function writeAsTeam({ pastApp, epoch, ids }: DemoContext): Promise<void> {
  await pastApp.call(startDelegation, { as: HELPER, body: { creatorId: ids.get(CREATOR) ?? null } });
  pastApp.moveTo(new Date(epoch.getTime() - 20 * HOUR_MS));
  const draft = { caption: 'Six cups from the Thursday firing, as they came out', price: 0 };
  await pastApp.call(createDraft, { as: HELPER, key: 'a draft of the team', body: draft });
  const { data } = await pastApp.call(getConversationList, { as: HELPER });
  for (const { to, minutesAgo, text } of TEAM_MESSAGES) {
    const conversation = data.find(({ customer }) => customer.username === to);
    if (!conversation) continue;
    pastApp.moveTo(new Date(epoch.getTime() - minutesAgo * 60_000));
    await pastApp.call(sendText, { as: HELPER, body: { conversationId: conversation.id, text } });
    const note = { note: 'Answers within the day, likes short messages.' };
    if (to === 'mateus.figueira')
      await pastApp.call(saveConversationNote, { as: HELPER, params: { id: conversation.id }, body: note });
  }
  await pastApp.call(startDelegation, { as: HELPER, body: { creatorId: null } });
}

async function createBanEvasion(context: DemoContext): Promise<void> {
  const { pastApp, epoch, ids } = context;
  const receiverId = ids.get(BLOCKING_CREATOR) ?? '';
  pastApp.moveTo(new Date(epoch.getTime() - 6 * HOUR_MS));
  // The history may not contain their conversation.
  const existing = await pastApp.call(getConversationInfo, { as: BLOCKED_FAN, params: { id: receiverId } });
  if (!existing.conversationId && existing.canSend)
    await pastApp.call(sendText, { as: BLOCKED_FAN, body: { receiverId, text: 'Why do you never answer me?' } });
  pastApp.moveTo(new Date(epoch.getTime() - 5 * HOUR_MS));
  const params = { customerId: ids.get(BLOCKED_FAN) ?? '' };
  await pastApp.call(blockUnblockCustomer, { as: BLOCKING_CREATOR, params, body: { isBlocked: true } });
  pastApp.moveTo(new Date(epoch.getTime() - 4 * HOUR_MS));
  await createUser(context, { type: 'customer', ...RETURNED_FAN });
  await pastApp.logIn(RETURNED_FAN.username);
  for (const username of [BLOCKED_FAN, RETURNED_FAN.username])
    await storeBrowserFingerprints(pastApp.ctx, pastApp.ctx.db, ids.get(username) ?? '', ['the browser of both']);
  if (
    (await pastApp.call(getConversationInfo, { as: RETURNED_FAN.username, params: { id: receiverId } })).conversationId
  )
    return;
  const body = { receiverId, text: 'Lovely work! May I ask you something?' };
  await pastApp.call(sendText, { as: RETURNED_FAN.username, body });
}

async function setLimitsAndBlocks({ pastApp, epoch, ids }: DemoContext): Promise<void> {
  pastApp.moveTo(new Date(epoch.getTime() - 5 * HOUR_MS));
  for (const [period, limit] of [
    ['week', 60],
    ['month', 150],
  ] as const)
    await pastApp.call(updateSpendingLimit, { as: LIMITED_FAN, params: { period }, body: { limit } });
  const [creatorId, fanId] = [ids.get(CREATOR) ?? '', ids.get(BLOCKED) ?? ''];
  const { conversationId } = await pastApp.call(getConversationInfo, { as: BLOCKED, params: { id: creatorId } });
  if (!conversationId) {
    const body = { receiverId: creatorId, text: 'Three messages and no answer. That is rude, you know.' };
    await pastApp.call(sendText, { as: BLOCKED, body });
  }
  await pastApp.call(respondToChatRequest, { as: CREATOR, params: { customerId: fanId }, body: { status: 'decline' } });
  await pastApp.call(blockUnblockCustomer, { as: CREATOR, params: { customerId: fanId }, body: { isBlocked: true } });
  await pastApp.call(updateGeoBlocks, { as: CREATOR, body: { codes: HIDDEN_IN } });
  // The export is made when the app starts.
  pastApp.moveTo(epoch);
  await pastApp.call(requestDataExport, { as: 'demo.fan' });
}

/** The team's messages mark the step as done. */
export async function createTeamAndPrivacy(context: DemoContext): Promise<void> {
  const { pastApp, epoch } = context;
  if ((await pastApp.call(listTeamActions, { as: CREATOR })).data.length > 0) return;
  await createBanEvasion(context);
  await setLimitsAndBlocks(context);
  if ((await pastApp.call(getTeam, { as: CREATOR })).members.length === 0) await inviteTeam(context);
  await writeAsTeam(context);
  pastApp.moveTo(epoch);
}
