/** Follows: who wants to see whom. */
import * as follows from '@stagedoor/contract/follows.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'follows',
  above: ['accounts', 'archive', 'blocks', 'closing'],
  contract: [follows],
  emits: ['follow.changed'],
  tables: {
    follows: { rows: 'all', readers: ['chat', 'earnings', 'feed', 'notifications', 'profiles'] },
    wide_creators: { rows: 'append' },
  },
});
