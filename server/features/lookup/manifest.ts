import * as lookup from '@stagedoor/contract/lookup.ts';
import * as things from '@stagedoor/contract/lookup-things.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'lookup',
  above: [
    'accounts',
    'audit',
    'blocks',
    'calls',
    'cases',
    'entitlements',
    'ledger',
    'ledger-desk',
    'payments',
    'payouts',
    'posts',
    'sales',
    'verification',
  ],
  contract: [lookup, things],
});
