import * as development from '@stagedoor/contract/dev-mailbox.ts';
import { defineModule } from '../../kernel/module.ts';

export const manifest = defineModule({ name: 'development', contract: [development] });
