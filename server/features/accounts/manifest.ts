/** Accounts: who people are, how they prove it, where they are logged in. */
import * as accounts from '@stagedoor/contract/accounts.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'accounts',
  above: ['ledger'],
  contract: [accounts],
  emits: ['account.blocked', 'account.created', 'account.mailAsked', 'account.secured', 'account.unblocked'],
  hears: ['account.mailAsked'],
  jobs: ['accounts.lift', 'accounts.purge'],
  tables: {
    account_signals: { rows: 'all', readers: ['chat'] },
    attempts: { rows: 'all' },
    creators: {
      rows: 'edit',
      readers: ['chat', 'demo', 'earnings', 'follows', 'found', 'posts', 'profiles', 'publishing', 'sales', 'themes'],
    },
    known_devices: { rows: 'all' },
    mail_tokens: { rows: 'all' },
    recovery_codes: { rows: 'all' },
    retired_names: { rows: 'all' },
    sessions: { rows: 'all', readers: ['notifications'] },
    users: {
      rows: 'edit',
      readers: [
        'affiliates',
        'calls',
        'chat',
        'demo',
        'follows',
        'found',
        'media',
        'notifications',
        'policies',
        'posts',
        'profiles',
      ],
    },
  },
  functions: {
    creators_listed: {},
    creators_searchable: {},
    sessions_tell_ended: {},
    users_listed: {},
    users_searchable: {},
    users_tell_blocked: {},
  },
});
