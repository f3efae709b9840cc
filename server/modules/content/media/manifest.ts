import * as media from '@stagedoor/contract/content/media.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'media',
  dependsOn: ['accounts', 'data-export', 'account-deletion', 'media-processing', 'sales'],
  contract: [media],
  emits: [
    'media.copyTakenDown',
    'media.updated',
    'media.processed',
    'media.settingsChanged',
    'media.visibilityChanged',
  ],
  handles: ['media.processed', 'media.settingsChanged', 'media.visibilityChanged'],
  jobs: [
    'media.audit',
    'media.avif',
    'media.discard',
    'media.encode',
    'media.deleteOriginal',
    'media.hash',
    'media.improve',
    'media.process',
    'media.purge',
    'media.remove',
    'media.stream',
    'media.requeueStuck',
    'media.teaser',
  ],
  provides: ['media.deletionGuard', 'media.fileGrant', 'media.mediaGrant', 'media.mediaUseReader'],
  implements: ['accountDeletion.deletionStep', 'dataExport.exportPart'],
  tables: {
    media_audits: { grants: 'replace', personalData: { none: 'Counts of files.' } },
    deleted_media: {
      grants: 'all',
      personalData: {
        inPrivacyPolicyAs: 'publishedContent',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'The user deleted it.' },
      },
    },
    media_findings: { grants: 'all', personalData: { inPrivacyPolicyAs: 'publishedContent' } },
    media: {
      grants: 'all',
      readers: ['chat', 'demo', 'drafts', 'posts'],
      personalData: {
        inPrivacyPolicyAs: 'publishedContent',
        onAccountDeletion: { remains: 'Media that fans bought stay available to them.' },
        inExportAs: 'media',
      },
    },
    media_counts: {
      grants: 'edit',
      personalData: {
        inPrivacyPolicyAs: 'publishedContent',
        onAccountDeletion: { remains: 'Counts of media, without the media.' },
        inExportAs: 'media',
      },
    },
    media_positions: {
      grants: 'all',
      personalData: { inPrivacyPolicyAs: 'fanActivity', onAccountDeletion: 'deleted', inExportAs: 'watched' },
    },
    media_settings: {
      grants: 'all',
      personalData: { inPrivacyPolicyAs: 'creatorProfile', onAccountDeletion: 'deleted', inExportAs: 'media-settings' },
    },
  },
  functions: {
    media_count_add: {},
    media_count_deleted: {},
    media_count_inserted: {},
    media_count_key: {},
    media_count_updated: {},
    media_set_metadata: {},
  },
});
