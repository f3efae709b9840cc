/** A route, event or signal that is opened to a team right must be added here. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const CONTRACT = path.resolve(import.meta.dirname, '../../../contract');

const OPEN: Readonly<Record<string, readonly string[]>> = {
  any: ['GET /auth/user', 'POST /report/submit-report'],
  chat: [
    'DELETE /message/broadcasts/:id',
    'DELETE /message/msg/:conversationId/:messageId',
    'GET /creator/seem-blocked',
    'GET /message/broadcast-groups',
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
    'hears BROADCAST_PROGRESS',
    'hears CHAT_MEDIA_READY',
    'hears CONVERSATION_CHANGED',
    'hears MESSAGES_MISSED',
    'hears MESSAGE_REMOVED',
    'hears MESSAGE_TYPING',
    'hears PURCHASE_MESSAGE_MEDIA',
    'hears RECEIVE_MESSAGE',
    'hears REMOVE_VIEWED_CHAT_MEDIA',
    'hears UPDATE_MESSAGE_STATUS',
    'hears USER_BLOCK_UNBLOCK',
    'hears VIEWED_CHAT_MEDIA',
    'says MESSAGE_TYPING',
    'says UPDATE_MESSAGE_STATUS',
  ],
  'chat, figures': ['GET /creator/followers-list', 'GET /creator/spent'],
  'chat, figures, posts': ['GET /creator/fees'],
  'chat, posts': ['GET /asset/private'],
  figures: [
    'GET /creator/balance',
    'GET /creator/chart',
    'GET /creator/earnings',
    'GET /creator/highlights',
    'GET /creator/pending',
    'GET /creator/stats',
    'GET /creator/stats/by-now',
    'hears EARNING_RECEIVED',
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
    'PUT /post/:id/pin',
    'hears MEDIA_PROCESSED',
    'hears MEDIA_PROGRESS',
  ],
  'posts, chat': ['GET /creator/media', 'GET /creator/media/:id'],
  self: ['GET /house', 'GET /teams', 'POST /auth/logout', 'POST /teams/act'],
};

function opened(one: unknown): [access: string, call: string] | undefined {
  if (typeof one !== 'object' || one === null || !('team' in one)) return undefined;
  const access = [one.team].flat().join(', ');
  if ('method' in one && 'path' in one) return [access, `${one.method} ${one.path}`];
  if ('signal' in one) return [access, `says ${one.signal}`];
  return 'audience' in one && 'name' in one ? [access, `hears ${one.name}`] : undefined;
}

test('every route, event and signal is open to exactly the listed team rights', async () => {
  const found = new Map<string, Set<string>>();
  for (const file of readdirSync(CONTRACT)) {
    if (!/^[a-z-]+\.ts$/.test(file)) continue;
    const module: Record<string, unknown> = await import(path.join(CONTRACT, file));
    for (const one of Object.values(module)) {
      const [access, call] = opened(one) ?? [];
      if (access !== undefined && call !== undefined) found.set(access, (found.get(access) ?? new Set()).add(call));
    }
  }
  const lists = [...found].map(([access, calls]) => [access, [...calls].sort()] as const);
  expect(
    Object.fromEntries(lists),
    'a decision about access: if it is meant, change OPEN in server/features/team/rights.test.ts',
  ).toEqual(OPEN);
});
