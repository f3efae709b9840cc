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
    account_signals: {
      rows: 'all',
      readers: ['chat'],
      personalData: {
        inPrivacyPolicyAs: 'deviceAndCardHashes',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Hashes that cannot be read back.' },
      },
    },
    attempts: { rows: 'all', personalData: { inPrivacyPolicyAs: 'logins' } },
    creators: {
      rows: 'edit',
      readers: ['chat', 'demo', 'earnings', 'follows', 'found', 'posts', 'profiles', 'publishing', 'sales', 'themes'],
      personalData: {
        inPrivacyPolicyAs: 'creatorProfile',
        onAccountDeletion: { remains: 'The id that financial records refer to, without profile data.' },
        inExportAs: 'profile',
      },
    },
    known_devices: {
      rows: 'all',
      personalData: {
        inPrivacyPolicyAs: 'logins',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Hashes that cannot be read back.' },
      },
    },
    mail_tokens: {
      rows: 'all',
      personalData: {
        inPrivacyPolicyAs: 'account',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Proves who the user is.' },
      },
    },
    recovery_codes: {
      rows: 'all',
      personalData: {
        inPrivacyPolicyAs: 'account',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Proves who the user is.' },
      },
    },
    retired_names: { rows: 'all', personalData: { inPrivacyPolicyAs: 'accountDeletion' } },
    sessions: {
      rows: 'all',
      readers: ['notifications'],
      personalData: { inPrivacyPolicyAs: 'logins', onAccountDeletion: 'deleted', inExportAs: 'sessions' },
    },
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
      personalData: {
        inPrivacyPolicyAs: 'account',
        onAccountDeletion: { remains: 'The id that financial records refer to.' },
        inExportAs: 'account',
      },
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
