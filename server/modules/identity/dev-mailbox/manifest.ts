import * as devMailbox from '@stagedoor/contract/identity/dev-mailbox.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({ name: 'dev-mailbox', contract: [devMailbox] });
