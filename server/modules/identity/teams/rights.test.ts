/** A route, event or signal that is opened to a team right must be added here. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const CONTRACT = path.resolve(import.meta.dirname, '../../../../contract');

const EXPECTED_ACCESS: Readonly<Record<string, readonly string[]>> = {
  any: ['GET /auth/user', 'POST /report/submit-report'],
  chat: [
    'DELETE /message/broadcasts/:id',
    'DELETE /message/msg/:conversationId/:messageId',
    'GET /creator/ban-evasion-hints',
    'GET /message/broadcast-audiences',
    'GET /message/broadcasts',
    'GET /message/broadcasts/:id',
    'GET /message/conversation-info/:id',
    'GET /message/conversation-list',
    'GET /message/conversation/:id',
    'GET /message/list/:id',
    'GET /message/search/:id',
    'GET /message/settings',
    'GET /message/shared-media/:id',
    'GET /message/un-read-count',
    'GET /message/upload/:id',
    'PATCH /message/broadcasts/:id',
    'POST /message/broadcast-media',
    'POST /message/broadcast-media-message',
    'POST /message/broadcast-text',
    'POST /message/conversation-response/:customerId',
    'POST /message/media',
    'POST /message/media-message',
    'POST /message/mute-unmute/:id',
    'POST /message/status',
    'POST /message/text',
    'POST /message/view-once/:id/close',
    'POST /message/view-once/:id/open',
    'PUT /message/note/:id',
    'receives BROADCAST_PROGRESS',
    'receives CHAT_MEDIA_READY',
    'receives CONVERSATION_CHANGED',
    'receives MESSAGES_MISSED',
    'receives MESSAGE_REMOVED',
    'receives MESSAGE_TYPING',
    'receives PURCHASE_MESSAGE_MEDIA',
    'receives RECEIVE_MESSAGE',
    'receives REMOVE_VIEWED_CHAT_MEDIA',
    'receives UPDATE_MESSAGE_STATUS',
    'receives USER_BLOCK_UNBLOCK',
    'receives VIEWED_CHAT_MEDIA',
    'sends MESSAGE_TYPING',
    'sends UPDATE_MESSAGE_STATUS',
  ],
  'chat, figures': ['GET /creator/fan-spending', 'GET /creator/followers-list'],
  'chat, figures, posts': ['GET /creator/fees'],
  'chat, posts': ['GET /asset/private'],
  'chat, posts, figures': ['GET /creator/subscription-tiers'],
  figures: [
    'GET /creator/balance',
    'GET /creator/chart',
    'GET /creator/earnings',
    'GET /creator/highlights',
    'GET /creator/pending',
    'GET /creator/stats',
    'GET /creator/stats/same-time',
    'GET /creator/subscribers',
    'GET /creator/subscribers/file',
    'GET /creator/subscription-figures',
    'GET /creator/subscription-offers',
    'receives EARNING_RECEIVED',
  ],
  posts: [
    'DELETE /creator/drafts/:id',
    'DELETE /creator/media/:id',
    'DELETE /creator/media/:id/captions/:language',
    'DELETE /post/:id',
    'GET /creator/drafts',
    'GET /creator/drafts/:id',
    'GET /creator/drafts/:id/preview',
    'GET /creator/media-settings',
    'GET /creator/posts',
    'GET /post/:id',
    'GET /public/media/:creatorId',
    'GET /public/posts/:creatorId',
    'GET /public/profile/:id',
    'PATCH /creator/media/:id',
    'PATCH /post/:id',
    'POST /creator/drafts',
    'POST /creator/drafts/:id/publish',
    'POST /creator/media/:id/captions',
    'POST /creator/media/:id/poster',
    'POST /creator/media/:id/restore',
    'POST /post',
    'PUT /creator/drafts/:id',
    'PUT /creator/posts/audiences',
    'PUT /post/:id/pin',
    'receives MEDIA_PROCESSED',
    'receives MEDIA_PROGRESS',
  ],
  'posts, chat': ['GET /creator/media', 'GET /creator/media/:id'],
  self: ['GET /site-status', 'GET /teams', 'POST /auth/logout', 'POST /teams/delegation'],
};

function findTeamAccess(exported: unknown): [access: string, call: string] | undefined {
  if (typeof exported !== 'object' || exported === null || !('team' in exported)) return undefined;
  const access = [exported.team].flat().join(', ');
  if ('method' in exported && 'path' in exported) return [access, `${exported.method} ${exported.path}`];
  if ('signal' in exported) return [access, `sends ${exported.signal}`];
  return 'audience' in exported && 'name' in exported ? [access, `receives ${exported.name}`] : undefined;
}

test('every route, event and signal is open to exactly the listed team rights', async () => {
  const callsByAccess = new Map<string, Set<string>>();
  for (const file of readdirSync(CONTRACT, { recursive: true, encoding: 'utf8' })) {
    if (!/^[a-z-]+\/[a-z-]+\.ts$/.test(file)) continue;
    const module: Record<string, unknown> = await import(path.join(CONTRACT, file));
    for (const exported of Object.values(module)) {
      const [access, call] = findTeamAccess(exported) ?? [];
      if (access !== undefined && call !== undefined)
        callsByAccess.set(access, (callsByAccess.get(access) ?? new Set()).add(call));
    }
  }
  const sortedCalls = [...callsByAccess].map(([access, calls]) => [access, [...calls].sort()] as const);
  expect(
    Object.fromEntries(sortedCalls),
    'a decision about access: if it is meant, change EXPECTED_ACCESS in server/modules/identity/teams/rights.test.ts',
  ).toEqual(EXPECTED_ACCESS);
});
