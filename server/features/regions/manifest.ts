import * as regions from '@stagedoor/contract/regions.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'regions',
  above: ['archive', 'closing'],
  contract: [regions],
  emits: ['regions.changed'],
  hears: ['regions.changed'],
  jobs: ['regions.forget'],
  tables: {
    region_blocks: {
      rows: 'replace',
      personalData: { inPrivacyPolicyAs: 'creatorProfile', onAccountDeletion: 'deleted', inExportAs: 'regions' },
    },
    region_refusals: {
      rows: 'all',
      personalData: { inPrivacyPolicyAs: 'creatorProfile', onAccountDeletion: 'deleted', inExportAs: 'regions' },
    },
  },
});
