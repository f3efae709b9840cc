import * as adminNewCreatorSlots from '@stagedoor/contract/admin/new-creator-slots.ts';
import * as embedSettings from '@stagedoor/contract/content/embed-settings.ts';
import * as profiles from '@stagedoor/contract/content/profiles.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'profiles',
  dependsOn: [
    'accounts',
    'data-export',
    'audit-log',
    'blocks',
    'account-deletion',
    'follows',
    'media',
    'posts',
    'presence',
    'themes',
  ],
  contract: [embedSettings, adminNewCreatorSlots, profiles],
  emits: ['profile.changed'],
  handles: ['call.settingsChanged'],
  jobs: ['profiles.purgeViews'],
  implements: ['accountDeletion.deletionStep', 'dataExport.exportPart'],
  tables: {
    creator_search_terms: {
      grants: 'all',
      personalData: {
        inPrivacyPolicyAs: 'creatorProfile',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'A search index of the profile, which is exported.' },
      },
    },
    embed_settings: {
      grants: 'all',
      personalData: { inPrivacyPolicyAs: 'creatorProfile', onAccountDeletion: 'deleted', inExportAs: 'profile' },
    },
    name_reviews: {
      grants: 'append',
      updates: ['decided_at', 'decision', 'reason', 'name', 'verified_name'],
      personalData: {
        inPrivacyPolicyAs: 'creatorProfile',
        onAccountDeletion: { remains: 'The record that a name was reviewed, without the name.' },
        inExportAs: { notExported: 'Written by operators; the name is exported with the account.' },
      },
    },
    profile_views: {
      grants: 'replace',
      personalData: {
        inPrivacyPolicyAs: 'profileViews',
        onAccountDeletion: { remains: 'Hashes, which are deleted by age.' },
        inExportAs: 'profile',
      },
    },
    search_term_suffixes: { grants: 'replace', personalData: { inPrivacyPolicyAs: 'creatorProfile' } },
    search_terms: { grants: 'replace', updates: ['best_rank'], personalData: { inPrivacyPolicyAs: 'creatorProfile' } },
  },
  functions: {
    search_creators: {},
    search_corrected_creators: {},
    list_creators_by_terms: {},
    list_terms_beginning: {},
    creators_update_search_terms: {},
    normalize_name: {},
    term_suffixes: {},
    term_deletion_variants: {},
    search_rank: {},
    correct_search_terms: {},
    split_search_terms: {},
    resolve_search_terms: {},
    find_terms_containing: {},
  },
});
