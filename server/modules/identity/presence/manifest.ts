import * as presence from '@stagedoor/contract/identity/presence.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'presence',
  contract: [presence],
  emits: ['creator.online'],
  provides: ['presence.visibility'],
});
