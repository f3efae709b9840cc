import * as transparencyLog from '@stagedoor/contract/trust/transparency-log.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'transparency-log',
  dependsOn: [
    'audit-log',
    'chat',
    'debts',
    'deposits',
    'ledger',
    'ledger-checks',
    'payouts',
    'posts',
    'reconciliation',
    'sales',
    'approvals',
  ],
  contract: [transparencyLog],
  jobs: [
    'transparencyLog.check',
    'transparencyLog.sequence',
    'transparencyLog.sequenceAll',
    'transparencyLog.pruneCheckpoints',
  ],
  tables: {
    transparency_checkpoints: {
      grants: 'replace',
      updates: ['checked_at', 'stored_at', 'system_identifier', 'watermark'],
      personalData: { none: 'Hashes.' },
    },
    transparency_leaves: { grants: 'append', personalData: { none: 'Hashes.' } },
    transparency_tiles: { grants: 'append', updates: ['hashes'], personalData: { none: 'Hashes.' } },
  },
  functions: {
    transparency_clearings: {},
    transparency_data: {},
    transparency_lines: {},
    transparency_append_only: {},
    transparency_rows: {},
    transparency_require_growth: {},
    transparency_check_pruning: {},
    transparency_time: {},
  },
});
