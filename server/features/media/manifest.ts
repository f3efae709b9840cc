/** Media: uploads, what is made of them, and who may see it. */
import * as media from '@stagedoor/contract/media.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'media',
  above: ['accounts', 'archive', 'closing', 'sales'],
  contract: [media],
  emits: ['media.copyWithheld', 'media.improved', 'media.processed', 'media.settings', 'media.shown'],
  hears: ['media.processed', 'media.settings', 'media.shown'],
  jobs: [
    'media.audit',
    'media.avif',
    'media.discard',
    'media.encode',
    'media.forget',
    'media.hash',
    'media.improve',
    'media.process',
    'media.purge',
    'media.remove',
    'media.stream',
    'media.takeUp',
    'media.teaser',
  ],
  tables: {
    media_audits: { rows: 'replace' },
    media_deleted: { rows: 'all' },
    media_findings: { rows: 'all' },
    media: { rows: 'all', readers: ['chat', 'demo', 'publishing', 'posts'] },
    media_counts: { rows: 'edit' },
    media_positions: { rows: 'all' },
    media_settings: { rows: 'all' },
  },
  functions: {
    media_count_add: {},
    media_count_deleted: {},
    media_count_inserted: {},
    media_count_key: {},
    media_count_updated: {},
    media_facts: {},
  },
});
