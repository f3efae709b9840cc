/** Demo cases for every queue of the admin console. */

import { isId, userId } from '@stagedoor/contract/atoms/ids.ts';
import {
  complain,
  contactAdmin,
  listDecisions,
  listTickets,
  openTicket,
  submitReport,
} from '@stagedoor/contract/cases.ts';
import { giveCounterNotice, giveNotice } from '@stagedoor/contract/copyright.ts';
import { listCreatorPosts } from '@stagedoor/contract/posts.ts';
import * as z from 'zod/mini';
import { decideCase, idOfCase, passCase } from '../features/cases/index.ts';
import type { Stage } from './studio.ts';
import { emailOf } from './world.ts';

const HOUR_MS = 60 * 60_000;
const ASKED = 'demo.fan';

const ABOUT = 'tomasz.halewicz';
const REPORTS = [
  { as: 'mateus.figueira', hoursAgo: 19, message: 'I have seen this picture on somebody else’s page, a year ago.' },
  { as: 'noor.haddad', hoursAgo: 17, message: 'Not their own work, I think. The corner shows another signature.' },
] as const;

const COUNTERS = 'aurelio.banks';
export const CLAIMED = 'dede.castellane';

async function reportPost({ past, ids, epoch }: Stage): Promise<void> {
  const reportUserId = ids.get(ABOUT) ?? ids.get('demo.creator') ?? '';
  const [post] = (await past.call(listCreatorPosts, { params: { creatorId: reportUserId } })).data;
  if (!post) return;
  for (const { as, hoursAgo, message } of REPORTS) {
    past.moveTo(new Date(epoch.getTime() - hoursAgo * HOUR_MS));
    await past.call(submitReport, { as, body: { reportUserId, type: 'post', typeId: post.id, message } });
  }
}

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

async function claimWorks({ past, ids, epoch }: Stage): Promise<void> {
  const claimant = {
    name: 'Ottilie Brandt',
    email: emailOf('ottilie.brandt'),
    address: '1 Example Street, 00000 Example',
  };
  const signed = { telephone: '+1 555 0100', isGoodFaith: true, isAccurate: true, signature: claimant.name };
  const claim = async (username: string, daysAgo: number, work: string) => {
    const [post] = (await past.call(listCreatorPosts, { params: { creatorId: ids.get(username) ?? '' } })).data.slice(
      -1,
    );
    if (!post) return undefined;
    past.moveTo(new Date(epoch.getTime() - daysAgo * 24 * HOUR_MS));
    return past.call(giveNotice, { body: { ...claimant, ...signed, work, places: `/post/${post.id}` } });
  };
  const moderator = ids.get('demo.moderator') ?? '';
  const decided = async () => (await past.call(listDecisions, { as: COUNTERS })).data[0];
  if ((await decided()) === undefined && isId(moderator)) {
    const done = await claim(COUNTERS, 5, 'My photograph, shown in my studio since last winter.');
    const known = await idOfCase(past.ctx.db, done?.cases[0]?.reference ?? '');
    const by = { userId: z.parse(userId, moderator), roles: ['moderator' as const] };
    past.moveTo(new Date(epoch.getTime() - 4 * 24 * HOUR_MS));
    const ground = 'It is the same photograph as in the notice.';
    if (known !== undefined) await decideCase(past.ctx, by, known, { act: 'remove', ground });
  }
  const decision = await decided();
  if (decision?.canCounter) {
    past.moveTo(new Date(epoch.getTime() - 3 * 24 * HOUR_MS));
    const who = { name: 'Aurelio Banks', address: '2 Example Street, 00000 Example', telephone: '+1 555 0101' };
    const statement = 'I took it myself, at a rehearsal to which I was asked. The file has the camera’s number.';
    const said = { statement, isMistake: true, isConsenting: true, signature: who.name };
    await past.call(giveCounterNotice, { as: COUNTERS, params: { id: decision.id }, body: { ...who, ...said } });
  }
  await claim(CLAIMED, 0.2, 'This picture is from my series of May, and nobody asked me.');
}

/** The last ticket marks the step as done. */
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
  await claimWorks(stage);
  past.moveTo(new Date(epoch.getTime() - HOUR_MS));
  await past.call(openTicket, {
    as: ASKED,
    key: 'a question',
    body: { subject: 'A receipt for my tax return', message: 'Can I have all of last year in one file?', pictures: [] },
  });
  past.moveTo(epoch);
}
