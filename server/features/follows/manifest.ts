/** Follows: who wants to see whom. */
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'follows',
  above: ['accounts'],
  emits: ['follow.changed'],
  tables: { follows: { readers: ['broadcasts', 'chat', 'feed', 'profiles', 'wallet'] }, wide_creators: {} },
});
