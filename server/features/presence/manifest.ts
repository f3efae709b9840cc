import * as presence from '@stagedoor/contract/presence.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({ name: 'presence', contract: [presence], emits: ['creator.online'] });
