import * as presence from '@stagedoor/contract/presence.ts';
import { defineModule } from '../../kernel/module.ts';

export const manifest = defineModule({ name: 'presence', contract: [presence], emits: ['creator.online'] });
