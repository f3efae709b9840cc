import * as transparency from '@stagedoor/contract/transparency.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'transparency',
  above: ['audit', 'chat', 'ledger', 'operators', 'payments', 'payouts', 'posts', 'sales'],
  contract: [transparency],
  jobs: ['transparency.check', 'transparency.sequence', 'transparency.sequenceAll', 'transparency.thin'],
  tables: {
    transparency_checkpoints: {
      rows: 'replace',
      updates: ['checked_at', 'stored_at', 'system_identifier', 'watermark'],
      personalData: { none: 'Hashes.' },
    },
    transparency_leaves: { rows: 'append', personalData: { none: 'Hashes.' } },
    transparency_tiles: { rows: 'append', updates: ['hashes'], personalData: { none: 'Hashes.' } },
  },
  functions: {
    transparency_clearings: {},
    transparency_data: {},
    transparency_lines: {},
    transparency_refuse: {},
    transparency_rows: {},
    transparency_grow: {},
    transparency_thin: {},
    transparency_time: {},
  },
});
