import * as regions from '@stagedoor/contract/geo-blocks.ts';
import { defineModule } from '../../kernel/module.ts';

export const manifest = defineModule({
  name: 'regions',
  dependsOn: ['archive', 'closing'],
  contract: [regions],
  emits: ['geoBlocks.changed'],
  handles: ['geoBlocks.changed'],
  jobs: ['geoBlocks.purgeExpired'],
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
