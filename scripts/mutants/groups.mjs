/**
 * The code that mutation testing covers. A group is a list of parts, each with the test files that must detect a fault
 * in it. A part names few test files on purpose: what its own tests miss is a gap, even if another module's test would
 * fail.
 */
const FEATURES = 'server/features';
const sources = (folder, names) => names.map((name) => `${FEATURES}/${folder}/${name}.ts`);
const tests = (folder, names) => names.map((name) => `${FEATURES}/${folder}/${name}.test.ts`);

const unit = (name, test = name) => ({
  [name]: { mutate: [`contract/${name}.ts`], tests: [`contract/${test}.test.ts`], isUnit: true },
});
const access = (folder, ...testFiles) => ({ mutate: sources(folder, ['access']), tests: testFiles.flat() });

/**
 * `isUnit` says that the tests load neither the server nor a database, so that every mutant can have new modules.
 * @type {Record<string, { target?: number, parts: Record<string, { mutate: string[], tests: string[], isUnit?: boolean }> }>}
 */
export const GROUPS = {
  entitlements: {
    target: 85,
    parts: {
      all: {
        mutate: sources('entitlements', ['*']),
        tests: [...tests('entitlements', ['*']), ...tests('posts', ['entitlements'])],
      },
    },
  },
  access: {
    target: 85,
    parts: {
      accounts: access('accounts', tests('accounts', ['sessions', 'password-change', 'login-throttle'])),
      calls: access('calls/call', tests('calls', ['call/calls', 'history/history']), tests('regions', ['calls'])),
      cases: access('cases', tests('cases', ['evidence', 'support', 'report-appeals', 'status', 'reports'])),
      chat: access('chat', tests('chat', ['chat', 'inbox/blocked-pair', 'inbox/requests', 'thread/files'])),
      media: access('media/delivery', tests('media', ['delivery/*', 'uploads']), tests('regions', ['files'])),
      payments: access('payments', tests('payments', ['deposits'])),
      posts: access('posts', tests('posts', ['posts', 'purchases']), tests('regions', ['geo-blocks'])),
      publishing: access('publishing', tests('publishing', ['drafts'])),
      wallet: access('wallet', tests('wallet', ['wallet'])),
    },
  },
  blocks: {
    parts: {
      all: {
        mutate: sources('blocks', ['index']),
        tests: [
          ...tests('blocks', ['*']),
          ...tests('chat', ['inbox/blocked-pair']),
          'server/testing/{blocked-pair,blocking}.test.ts',
        ],
      },
    },
  },
  sales: {
    target: 85,
    parts: {
      charging: {
        mutate: sources('sales', ['charge', 'holds', 'index', 'pending', 'refund']),
        tests: tests('sales', ['sales', 'refunds', 'holds', 'refusals']),
      },
      commissions: {
        mutate: sources('sales', ['commissions']),
        tests: tests('sales', ['commissions', 'commission-events']),
      },
      fees: { mutate: sources('sales', ['fees', 'periods']), tests: tests('sales', ['periods', 'sales', 'earned']) },
      limits: {
        mutate: sources('sales', ['seller-gate', 'spending-limits', 'prices']),
        tests: [...tests('policies', ['prices']), ...tests('own-limits', ['*'])],
      },
      statement: {
        mutate: sources('sales', ['lists', 'statement']),
        tests: [...tests('wallet', ['wallet', 'kinds']), ...tests('sales', ['earned'])],
      },
      figures: { mutate: sources('sales', ['stats']), tests: tests('sales', ['earned', 'figures']) },
    },
  },
  ledger: {
    target: 85,
    parts: {
      posting: {
        mutate: sources('ledger', ['errors', 'index', 'transaction-legs', 'post']),
        tests: tests('ledger', ['ledger', 'kinds', 'new-id', 'frozen']),
      },
      deposits: {
        mutate: sources('ledger', ['clearing', 'deposits', 'settlement-check']),
        tests: tests('ledger', ['deposits', 'received', 'ahead', 'ledger']),
      },
      limits: { mutate: sources('ledger', ['spending-limits']), tests: tests('own-limits', ['*']) },
      holds: {
        mutate: sources('ledger', ['holds']),
        tests: [...tests('ledger', ['ledger', 'frozen']), ...tests('sales', ['holds', 'refusals'])],
      },
      debts: {
        mutate: sources('ledger', ['debt-parts', 'debts']),
        tests: tests('ledger', ['debts']),
      },
      checks: {
        mutate: sources('ledger', [
          'alarms',
          'check',
          'invariants',
          'commission-checks',
          'reconciliation-findings',
          'nightly-check',
          'scheduled-jobs',
        ]),
        tests: tests('ledger', ['nightly-check', 'ledger', 'debts']),
      },
      reading: {
        mutate: sources('ledger', ['transaction-search', 'history', 'history-cli', 'statement-pages']),
        tests: [...tests('ledger', ['history']), ...tests('ledger-desk', ['admin-ledger'])],
      },
    },
  },
  sessions: {
    parts: {
      cache: { mutate: ['server/kernel/session.ts'], tests: ['server/kernel/session.test.ts'], isUnit: true },
      accounts: {
        mutate: sources('accounts', ['sessions']),
        tests: ['server/testing/sessions-ended.test.ts', ...tests('accounts', ['sessions', 'sockets', 'login'])],
      },
    },
  },
  payouts: {
    parts: {
      requests: {
        mutate: sources('payouts', [
          'approval-limits',
          'failure-claims',
          'eligibility',
          'methods',
          'requests',
          'payout-schedules',
          'settings',
          'store',
        ]),
        tests: tests('payouts', ['requests', 'unpaid-debt', 'blocked', 'invalid', 'two-people']),
      },
      transfers: {
        mutate: sources('payouts', [
          'batches',
          'manual-transfers',
          'nacha',
          'paypal',
          'submit',
          'transfer-store',
          'transfers',
        ]),
        tests: tests('payouts', ['transfers', 'faults', 'nacha', 'two-people']),
      },
      notices: {
        mutate: sources('payouts', ['paypal-webhooks', 'paypal-webhook-admin', 'paypal-webhook-store']),
        tests: tests('payouts', ['paypal-webhooks', 'faults']),
      },
    },
  },
  contract: {
    parts: {
      ...unit('accounts'),
      ...unit('business-days'),
      ...unit('call-states'),
      ...unit('new-creator-slots'),
      ...unit('social-links'),
      ...unit('themes'),
      ...unit('payments', 'wallet'),
      ...unit('price-limits', 'prices'),
      ...unit('shared/errors'),
      ...unit('shared/single-line-text'),
      ...unit('shared/money'),
    },
  },
};
