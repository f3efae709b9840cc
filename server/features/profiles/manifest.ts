/** Profiles: finding creators, showing them, editing oneself. */
import * as profiles from '@stagedoor/contract/profiles.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'profiles',
  above: ['accounts', 'archive', 'audit', 'blocks', 'closing', 'follows', 'media', 'posts', 'presence'],
  contract: [profiles],
  emits: ['profile.changed'],
  hears: ['call.termsChanged'],
  jobs: ['profiles.purgeViews'],
  tables: {
    name_reviews: { rows: 'append', updates: ['decided_at', 'decision', 'ground', 'name', 'verified_name'] },
    profile_views: { rows: 'replace' },
  },
  functions: { name_reading: {} },
});
