import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'found',
  above: ['accounts', 'entitlements', 'posts'],
});
