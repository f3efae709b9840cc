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
    media_audits: { rows: 'replace', personalData: { none: 'Counts of files.' } },
    media_deleted: {
      rows: 'all',
      personalData: {
        inPrivacyPolicyAs: 'publishedContent',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'The user deleted it.' },
      },
    },
    media_findings: { rows: 'all', personalData: { inPrivacyPolicyAs: 'publishedContent' } },
    media: {
      rows: 'all',
      readers: ['chat', 'demo', 'publishing', 'posts'],
      personalData: {
        inPrivacyPolicyAs: 'publishedContent',
        onAccountDeletion: { remains: 'Media that fans bought stay available to them.' },
        inExportAs: 'media',
      },
    },
    media_counts: {
      rows: 'edit',
      personalData: {
        inPrivacyPolicyAs: 'publishedContent',
        onAccountDeletion: { remains: 'Counts of media, without the media.' },
        inExportAs: 'media',
      },
    },
    media_positions: {
      rows: 'all',
      personalData: { inPrivacyPolicyAs: 'fanActivity', onAccountDeletion: 'deleted', inExportAs: 'watched' },
    },
    media_settings: {
      rows: 'all',
      personalData: { inPrivacyPolicyAs: 'creatorProfile', onAccountDeletion: 'deleted', inExportAs: 'media-settings' },
    },
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
