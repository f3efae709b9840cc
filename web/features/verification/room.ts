/** Verification: creators come to it from their home, operators by their navigation. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { Room } from '../../kernel/room.ts';

export const room: Room = {
  nav: { operator: [{ order: 20, href: PATHS.adminVerifications, label: 'Verification', icon: 'card' }] },
};
