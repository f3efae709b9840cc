/** Profiles: finding creators, showing them, editing oneself. */
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
    creator_words: { rows: 'all' },
    embed_settings: { rows: 'all' },
    name_reviews: { rows: 'append', updates: ['decided_at', 'decision', 'ground', 'name', 'verified_name'] },
    profile_views: { rows: 'replace' },
    search_word_parts: { rows: 'replace' },
    search_words: { rows: 'replace' },
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
