/** What the demo world's people say is wrong, so that the desk has cases in every queue: two reports of one post, a complaint, questions, money asked back. */

import { isId, userId } from '@stagedoor/contract/atoms/ids.ts';
import { complain, contactAdmin, listTickets, openTicket, submitReport } from '@stagedoor/contract/cases.ts';
import { listCreatorPosts } from '@stagedoor/contract/posts.ts';
import * as z from 'zod/mini';
import { passCase } from '../features/cases/index.ts';
import type { Stage } from './studio.ts';
import { emailOf } from './world.ts';

const HOUR_MS = 60 * 60_000;
const ASKED = 'demo.fan';

/** Whose post is reported, by whom, and with which words. */
const ABOUT = 'tomasz.halewicz';
const REPORTS = [
  { as: 'mateus.figueira', hoursAgo: 19, message: 'I have seen this picture on somebody else’s page, a year ago.' },
  { as: 'noor.haddad', hoursAgo: 17, message: 'Not their own work, I think. The corner shows another signature.' },
] as const;

async function reportPost({ past, ids, epoch }: Stage): Promise<void> {
  const reportUserId = ids.get(ABOUT) ?? ids.get('demo.creator') ?? '';
  const [post] = (await past.call(listCreatorPosts, { params: { creatorId: reportUserId } })).data;
  if (!post) return;
  for (const { as, hoursAgo, message } of REPORTS) {
    past.moveTo(new Date(epoch.getTime() - hoursAgo * HOUR_MS));
    await past.call(submitReport, { as, body: { reportUserId, type: 'post', typeId: post.id, message } });
  }
}

/** Whoever bought something that does not open asks for the money, and support passes it on to who gives it back. */
async function askBack({ past, ids, epoch }: Stage): Promise<void> {
  const as = 'mateus.figueira';
  if ((await past.call(listTickets, { as })).data.length > 0) return;
  past.moveTo(new Date(epoch.getTime() - 2 * HOUR_MS));
  await past.call(openTicket, {
    as,
    key: 'money back',
    body: {
      subject: 'A post that does not open',
      message: 'I unlocked it and it stays dark. Can I have the money back?',
      pictures: [],
    },
  });
  const [ticket] = (await past.call(listTickets, { as })).data;
  const support = ids.get('demo.support') ?? '';
  if (!ticket || !isId(support)) return;
  const by = { userId: z.parse(userId, support), roles: ['support' as const] };
  await passCase(past.ctx, by, ticket.id, {
    isForRefund: true,
    text: 'It does not open here either. Please give it back.',
  });
}

/** People write to us; the last of it marks that it is done. */
export async function speakUp(stage: Stage): Promise<void> {
  const { past, epoch } = stage;
  if ((await past.call(listTickets, { as: ASKED })).data.length > 0) return;
  await reportPost(stage);
  past.moveTo(new Date(epoch.getTime() - 6 * HOUR_MS));
  await past.call(complain, {
    body: {
      name: 'Ottilie Brandt',
      email: emailOf('ottilie.brandt'),
      where: '/profile/demo.creator',
      details: 'The third picture shows my studio, and nobody asked me.',
      isGoodFaith: true,
    },
  });
  past.moveTo(new Date(epoch.getTime() - 3 * HOUR_MS));
  await past.call(contactAdmin, {
    body: {
      name: 'Ottilie Brandt',
      email: emailOf('ottilie.brandt'),
      details: 'Do you also take festivals as creators? There are four of us.',
    },
  });
  await askBack(stage);
  past.moveTo(new Date(epoch.getTime() - HOUR_MS));
  await past.call(openTicket, {
    as: ASKED,
    key: 'a question',
    body: { subject: 'A receipt for my tax return', message: 'Can I have all of last year in one file?', pictures: [] },
  });
  past.moveTo(epoch);
}
