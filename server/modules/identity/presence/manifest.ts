import * as presence from '@stagedoor/contract/identity/presence.ts';
import * as missed from '@stagedoor/contract/shared/missed-events.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'presence',
  contract: [presence, missed],
  emits: ['creator.online'],
  provides: ['presence.visibility'],
});
