import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { Room } from '../../kernel/room.ts';

export const room: Room = {
  nav: { operator: [{ order: 20, href: PATHS.admin, label: 'Console', icon: 'inbox' }] },
};
