/**
 * The code that mutation testing covers, by group, with the tests that have to notice a fault in it. A group names few
 * test files on purpose: what its own tests do not notice is a gap, even if another module's test notices it by chance.
 */
const files = (folder, names) => names.map((name) => `server/features/${folder}/${name}.ts`);

export const GROUPS = {
  entitlements: {
    target: 85,
    mutate: files('entitlements', ['grants', 'index', 'right']),
    tests: [
      'server/features/entitlements/*.test.ts',
      'server/features/posts/entitled.test.ts',
      'server/features/chat/thread/entitled.test.ts',
    ],
  },
  access: {
    target: 85,
    mutate: [
      'server/features/*/access.ts',
      'server/features/media/serving/access.ts',
      'server/features/calls/call/access.ts',
    ],
    tests: [
      'server/features/accounts/{sessions,password-change}.test.ts',
      'server/features/calls/call/calls.test.ts',
      'server/features/cases/{evidence,heard,contests,status}.test.ts',
      'server/features/chat/{chat,thread/files,inbox/apart,inbox/requests}.test.ts',
      'server/features/media/serving/{serving,sights,crowds}.test.ts',
      'server/features/media/uploads.test.ts',
      'server/features/payments/deposits.test.ts',
      'server/features/posts/{posts,purchases,entitled}.test.ts',
      'server/features/publishing/drafts.test.ts',
      'server/features/regions/{regions,calls,files}.test.ts',
      'server/features/wallet/wallet.test.ts',
      'server/testing/sessions-ended.test.ts',
    ],
  },
  blocks: {
    mutate: files('blocks', ['index']),
    tests: [
      'server/features/blocks/*.test.ts',
      'server/features/chat/inbox/apart.test.ts',
      'server/testing/apart.test.ts',
      'server/testing/blocking.test.ts',
    ],
  },
  sales: {
    target: 85,
    mutate: ['server/features/sales/*.ts'],
    tests: [
      'server/features/sales/*.test.ts',
      'server/features/wallet/{wallet,kinds}.test.ts',
      'server/features/earnings/earnings.test.ts',
      'server/features/own-limits/*.test.ts',
    ],
  },
  ledger: {
    target: 85,
    mutate: ['server/features/ledger/*.ts'],
    tests: [
      'server/features/ledger/*.test.ts',
      'server/features/payments/debts.test.ts',
      'server/testing/balances.test.ts',
    ],
  },
  sessions: {
    mutate: ['server/kernel/session.ts', 'server/features/accounts/sessions.ts'],
    tests: [
      'server/kernel/session.test.ts',
      'server/features/accounts/{sessions,sockets,login}.test.ts',
      'server/testing/sessions-ended.test.ts',
    ],
  },
  payouts: {
    mutate: ['server/features/payouts/*.ts'],
    tests: ['server/features/payouts/*.test.ts'],
  },
  contract: {
    mutate: [
      'contract/atoms/*.ts',
      ...['accounts', 'business-days', 'call-states', 'fair-share', 'price-limits', 'social', 'themes', 'wallet'].map(
        (name) => `contract/${name}.ts`,
      ),
    ],
    tests: ['contract/**/*.test.ts'],
  },
};
