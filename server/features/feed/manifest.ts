/** The feed of followed creators. */
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'feed',
  above: ['follows', 'posts'],
  hears: ['follow.changed', 'post.published', 'post.removed'],
  tables: { timelines: { rows: 'replace' } },
});
