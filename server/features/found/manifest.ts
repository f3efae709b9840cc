/** Found: how others find what is public here: robots, sitemaps, and feeds of what creators publish. */
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'found',
  above: ['accounts', 'entitlements', 'posts'],
});
