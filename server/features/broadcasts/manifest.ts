/** Broadcasts: one message to many, stored once. */
import * as broadcasts from '@stagedoor/contract/broadcasts.ts';
import { defineRoom, type Shared } from '../../kernel/room.ts';

/** Chat makes each fan's message of a broadcast when they look, and counts what becomes of it. */
const delivered: Shared = {
  exceptions: [{ room: 'chat', may: 'read', why: 'A thread makes its messages of broadcasts when it is looked at.' }],
};
const asked: Shared = {
  exceptions: [{ room: 'chat', may: 'call', why: 'Delivering and reading a message of a broadcast counts for it.' }],
};

export const manifest = defineRoom({
  name: 'broadcasts',
  above: ['accounts', 'chat', 'entitlements', 'follows', 'presence'],
  contract: [broadcasts],
  emits: ['broadcast.sent', 'broadcast.takenBack', 'broadcast.unsent'],
  hears: ['broadcast.sent', 'broadcast.takenBack', 'broadcast.unsent', 'chat.purchased'],
  jobs: ['broadcast.send'],
  tables: { broadcast_counts: delivered, broadcasters: delivered, broadcasts: delivered },
  functions: { broadcast_count: asked, broadcast_is_for: asked },
});
