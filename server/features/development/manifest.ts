import * as development from '@stagedoor/contract/development.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({ name: 'development', contract: [development] });
