/** Demo cases for every queue of the admin console. */

import { listCreatorPosts } from '@stagedoor/contract/content/posts.ts';
import { isId, userId } from '@stagedoor/contract/shared/ids.ts';
import { submitCopyrightNotice, submitCounterNotice } from '@stagedoor/contract/trust/copyright.ts';
import { listOwnDecisions, submitReport } from '@stagedoor/contract/trust/moderation.ts';
import { contactAdmin, createTicket, listTickets, submitComplaint } from '@stagedoor/contract/trust/support.ts';
import * as z from 'zod/mini';
import { applyCaseDecision, changeCaseQueue, findCaseId } from '../modules/trust/moderation/index.ts';
import type { DemoContext } from './demo-context.ts';
import { toEmail } from './world.ts';

const HOUR_MS = 60 * 60_000;
const TICKET_AUTHOR = 'demo.fan';

const REPORTED_CREATOR = 'tomasz.halewicz';
const REPORTS = [
  { as: 'mateus.figueira', hoursAgo: 19, message: 'I have seen this picture on somebody else’s page, a year ago.' },
  { as: 'noor.haddad', hoursAgo: 17, message: 'Not their own work, I think. The corner shows another signature.' },
] as const;

const COUNTER_NOTICE_AUTHOR = 'aurelio.banks';
export const CLAIMED_CREATOR = 'dede.castellane';

async function reportPost({ pastApp, ids, epoch }: DemoContext): Promise<void> {
  const reportUserId = ids.get(REPORTED_CREATOR) ?? ids.get('demo.creator') ?? '';
  const [post] = (await pastApp.call(listCreatorPosts, { params: { creatorId: reportUserId } })).data;
  if (!post) return;
  for (const { as, hoursAgo, message } of REPORTS) {
    pastApp.moveTo(new Date(epoch.getTime() - hoursAgo * HOUR_MS));
    await pastApp.call(submitReport, { as, body: { reportUserId, type: 'post', typeId: post.id, message } });
  }
}

async function requestRefund({ pastApp, ids, epoch }: DemoContext): Promise<void> {
  const as = 'mateus.figueira';
  if ((await pastApp.call(listTickets, { as })).data.length > 0) return;
  pastApp.moveTo(new Date(epoch.getTime() - 2 * HOUR_MS));
  await pastApp.call(createTicket, {
    as,
    key: 'money back',
    body: {
      subject: 'A post that does not open',
      message: 'I unlocked it and it stays dark. Can I have the money back?',
      pictures: [],
    },
  });
  const [ticket] = (await pastApp.call(listTickets, { as })).data;
  const support = ids.get('demo.support') ?? '';
  if (!ticket || !isId(support)) return;
  const operator = { userId: z.parse(userId, support), roles: ['support' as const] };
  await changeCaseQueue(pastApp.ctx, operator, ticket.id, {
    isForRefund: true,
    text: 'It does not open here either. Please give it back.',
  });
}

async function createCopyrightClaims({ pastApp, ids, epoch }: DemoContext): Promise<void> {
  const claimant = {
    name: 'Ottilie Brandt',
    email: toEmail('ottilie.brandt'),
    address: '1 Example Street, 00000 Example',
  };
  const declaration = { telephone: '+1 555 0100', isGoodFaith: true, isAccurate: true, signature: claimant.name };
  const claim = async (username: string, daysAgo: number, work: string) => {
    const [post] = (
      await pastApp.call(listCreatorPosts, { params: { creatorId: ids.get(username) ?? '' } })
    ).data.slice(-1);
    if (!post) return undefined;
    pastApp.moveTo(new Date(epoch.getTime() - daysAgo * 24 * HOUR_MS));
    return pastApp.call(submitCopyrightNotice, {
      body: { ...claimant, ...declaration, work, urls: `/post/${post.id}` },
    });
  };
  const moderator = ids.get('demo.moderator') ?? '';
  const findDecision = async () => (await pastApp.call(listOwnDecisions, { as: COUNTER_NOTICE_AUTHOR })).data[0];
  if ((await findDecision()) === undefined && isId(moderator)) {
    const claimed = await claim(COUNTER_NOTICE_AUTHOR, 5, 'My photograph, shown in my studio since last winter.');
    const caseId = await findCaseId(pastApp.ctx.db, claimed?.cases[0]?.reference ?? '');
    const operator = { userId: z.parse(userId, moderator), roles: ['moderator' as const] };
    pastApp.moveTo(new Date(epoch.getTime() - 4 * 24 * HOUR_MS));
    const reason = 'It is the same photograph as in the notice.';
    if (caseId !== undefined) await applyCaseDecision(pastApp.ctx, operator, caseId, { action: 'remove', reason });
  }
  const decision = await findDecision();
  if (decision?.canCounter) {
    pastApp.moveTo(new Date(epoch.getTime() - 3 * 24 * HOUR_MS));
    const sender = { name: 'Aurelio Banks', address: '2 Example Street, 00000 Example', telephone: '+1 555 0101' };
    const statement = 'I took it myself, at a rehearsal to which I was asked. The file has the camera’s number.';
    const counterNotice = { statement, isMistake: true, isConsenting: true, signature: sender.name };
    await pastApp.call(submitCounterNotice, {
      as: COUNTER_NOTICE_AUTHOR,
      params: { id: decision.id },
      body: { ...sender, ...counterNotice },
    });
  }
  await claim(CLAIMED_CREATOR, 0.2, 'This picture is from my series of May, and nobody asked me.');
}

/** The last ticket marks the step as done. */
export async function createCases(context: DemoContext): Promise<void> {
  const { pastApp, epoch } = context;
  if ((await pastApp.call(listTickets, { as: TICKET_AUTHOR })).data.length > 0) return;
  await reportPost(context);
  pastApp.moveTo(new Date(epoch.getTime() - 6 * HOUR_MS));
  await pastApp.call(submitComplaint, {
    body: {
      name: 'Ottilie Brandt',
      email: toEmail('ottilie.brandt'),
      where: '/profile/demo.creator',
      details: 'The third picture shows my studio, and nobody asked me.',
      isGoodFaith: true,
    },
  });
  pastApp.moveTo(new Date(epoch.getTime() - 3 * HOUR_MS));
  await pastApp.call(contactAdmin, {
    body: {
      name: 'Ottilie Brandt',
      email: toEmail('ottilie.brandt'),
      details: 'Do you also take festivals as creators? There are four of us.',
    },
  });
  await requestRefund(context);
  await createCopyrightClaims(context);
  pastApp.moveTo(new Date(epoch.getTime() - HOUR_MS));
  await pastApp.call(createTicket, {
    as: TICKET_AUTHOR,
    key: 'a question',
    body: { subject: 'A receipt for my tax return', message: 'Can I have all of last year in one file?', pictures: [] },
  });
  pastApp.moveTo(epoch);
}
