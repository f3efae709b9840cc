import * as accounts from '@stagedoor/contract/identity/accounts.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'accounts',
  dependsOn: ['ledger'],
  contract: [accounts],
  emits: ['account.blocked', 'account.created', 'account.mailRequested', 'account.secured', 'account.unblocked'],
  handles: ['account.mailRequested'],
  jobs: ['accounts.unblockExpired', 'accounts.purge'],
  provides: ['accounts.consentHandler'],
  tables: {
    account_fingerprints: {
      grants: 'all',
      readers: ['chat'],
      personalData: {
        inPrivacyPolicyAs: 'deviceAndCardHashes',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Hashes that cannot be read back.' },
      },
    },
    login_attempts: { grants: 'all', personalData: { inPrivacyPolicyAs: 'logins' } },
    creators: {
      grants: 'edit',
      readers: [
        'chat',
        'demo',
        'earnings',
        'follows',
        'seo',
        'posts',
        'profiles',
        'drafts',
        'sales',
        'subscription-tiers',
        'themes',
      ],
      personalData: {
        inPrivacyPolicyAs: 'creatorProfile',
        onAccountDeletion: { remains: 'The id that financial records refer to, without profile data.' },
        inExportAs: 'profile',
      },
    },
    known_devices: {
      grants: 'all',
      personalData: {
        inPrivacyPolicyAs: 'logins',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Hashes that cannot be read back.' },
      },
    },
    mail_tokens: {
      grants: 'all',
      personalData: {
        inPrivacyPolicyAs: 'account',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Proves who the user is.' },
      },
    },
    recovery_codes: {
      grants: 'all',
      personalData: {
        inPrivacyPolicyAs: 'account',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Proves who the user is.' },
      },
    },
    reserved_usernames: { grants: 'all', personalData: { inPrivacyPolicyAs: 'accountDeletion' } },
    sessions: {
      grants: 'all',
      readers: ['push'],
      personalData: { inPrivacyPolicyAs: 'logins', onAccountDeletion: 'deleted', inExportAs: 'sessions' },
    },
    users: {
      grants: 'edit',
      readers: [
        'affiliates',
        'calls',
        'chat',
        'demo',
        'follows',
        'seo',
        'media',
        'notifications',
        'legal',
        'posts',
        'profiles',
        'push',
        'subscription-figures',
        'subscriptions',
      ],
      personalData: {
        inPrivacyPolicyAs: 'account',
        onAccountDeletion: { remains: 'The id that financial records refer to.' },
        inExportAs: 'account',
      },
    },
  },
  functions: {
    creators_set_listed: {},
    creators_set_search_text: {},
    sessions_notify_ended: {},
    users_update_creator_listed: {},
    users_set_search_name: {},
    users_touch_creator: {},
    users_notify_ended: {},
  },
});
