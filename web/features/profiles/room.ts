import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { NavEntry, Room } from '../../kernel/room.ts';

const home: NavEntry = { order: 10, href: PATHS.home, label: 'Home', icon: 'home' };

export const room: Room = { nav: { customer: [home], operator: [home] } };
