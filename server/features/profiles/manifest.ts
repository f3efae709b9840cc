/** Profiles: finding creators, showing them, editing oneself. */
import * as embeds from '@stagedoor/contract/embed-settings.ts';
import * as profiles from '@stagedoor/contract/profiles.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'profiles',
  above: ['accounts', 'archive', 'audit', 'blocks', 'closing', 'follows', 'media', 'posts', 'presence', 'themes'],
  contract: [embeds, profiles],
  emits: ['profile.changed'],
  hears: ['call.termsChanged'],
  jobs: ['profiles.purgeViews'],
  tables: {
    embed_settings: { rows: 'all' },
    name_reviews: { rows: 'append', updates: ['decided_at', 'decision', 'ground', 'name', 'verified_name'] },
    profile_views: { rows: 'replace' },
  },
  functions: { creators_like: {}, name_reading: {} },
});
