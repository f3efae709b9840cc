import * as cannedResponses from '@stagedoor/contract/admin/canned-responses.ts';
import * as support from '@stagedoor/contract/trust/support.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'support',
  dependsOn: ['accounts', 'audit-log', 'ledger', 'media', 'moderation', 'approvals'],
  contract: [support, cannedResponses],
  tables: {
    canned_responses: { grants: 'all', personalData: { none: 'Texts written by operators.' } },
  },
});
