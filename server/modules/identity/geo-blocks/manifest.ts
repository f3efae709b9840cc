import * as geoBlocks from '@stagedoor/contract/identity/geo-blocks.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'geo-blocks',
  dependsOn: ['data-export', 'account-deletion'],
  contract: [geoBlocks],
  emits: ['geoBlocks.changed'],
  handles: ['geoBlocks.changed'],
  jobs: ['geoBlocks.purgeExpired'],
  implements: ['accountDeletion.deletionStep', 'dataExport.exportPart'],
  tables: {
    geo_blocks: {
      grants: 'replace',
      personalData: { inPrivacyPolicyAs: 'creatorProfile', onAccountDeletion: 'deleted', inExportAs: 'regions' },
    },
    geo_block_hits: {
      grants: 'all',
      personalData: { inPrivacyPolicyAs: 'creatorProfile', onAccountDeletion: 'deleted', inExportAs: 'regions' },
    },
  },
});
