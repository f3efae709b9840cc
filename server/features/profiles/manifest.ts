import * as embeds from '@stagedoor/contract/embed-settings.ts';
import * as newcomersDesk from '@stagedoor/contract/newcomers-desk.ts';
import * as profiles from '@stagedoor/contract/profiles.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'profiles',
  above: ['accounts', 'archive', 'audit', 'blocks', 'closing', 'follows', 'media', 'posts', 'presence', 'themes'],
  contract: [embeds, newcomersDesk, profiles],
  emits: ['profile.changed'],
  hears: ['call.termsChanged'],
  jobs: ['profiles.purgeViews'],
  tables: {
    creator_words: {
      rows: 'all',
      personalData: {
        inPrivacyPolicyAs: 'creatorProfile',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'A search index of the profile, which is exported.' },
      },
    },
    embed_settings: {
      rows: 'all',
      personalData: { inPrivacyPolicyAs: 'creatorProfile', onAccountDeletion: 'deleted', inExportAs: 'profile' },
    },
    name_reviews: {
      rows: 'append',
      updates: ['decided_at', 'decision', 'ground', 'name', 'verified_name'],
      personalData: {
        inPrivacyPolicyAs: 'creatorProfile',
        onAccountDeletion: { remains: 'The record that a name was reviewed, without the name.' },
        inExportAs: { notExported: 'Written by operators; the name is exported with the account.' },
      },
    },
    profile_views: {
      rows: 'replace',
      personalData: {
        inPrivacyPolicyAs: 'profileViews',
        onAccountDeletion: { remains: 'Hashes, which are deleted by age.' },
        inExportAs: 'profile',
      },
    },
    search_word_parts: { rows: 'replace', personalData: { inPrivacyPolicyAs: 'creatorProfile' } },
    search_words: { rows: 'replace', personalData: { inPrivacyPolicyAs: 'creatorProfile' } },
  },
  functions: {
    creators_found: {},
    creators_listing: {},
    creators_words: {},
    name_reading: {},
    parts_of: {},
    slips_of: {},
    standing_of: {},
    words_mended: {},
    words_of: {},
    words_read: {},
    words_within: {},
  },
});
