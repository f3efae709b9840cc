/** Drafts and scheduled posts: what creators write before it is public. */
import * as drafts from '@stagedoor/contract/drafts.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'drafts',
  above: ['accounts', 'ledger', 'media', 'posts'],
  contract: [drafts],
  jobs: ['drafts.publish'],
  tables: { draft_media: {}, drafts: {} },
});
