/**
 * The code that mutation testing covers. A group is a list of parts, each with the test files that must detect a fault
 * in it. A part names few test files on purpose: what its own tests miss is a gap, even if another module's test would
 * fail.
 */
const MODULES = 'server/modules';
const sources = (folder, names) => names.map((name) => `${MODULES}/${folder}/${name}.ts`);
const tests = (folder, names) => names.map((name) => `${MODULES}/${folder}/${name}.test.ts`);

const unit = (name, test = name) => ({
  [name]: { mutate: [`contract/${name}.ts`], tests: [`contract/${test}.test.ts`], isUnit: true },
});
const access = (folder, ...testFiles) => ({ mutate: sources(folder, ['access']), tests: testFiles.flat() });

/**
 * `isUnit` means that the tests load neither the server nor a database, so that every mutant can have new modules.
 * @type {Record<string, { target?: number, parts: Record<string, { mutate: string[], tests: string[], isUnit?: boolean }> }>}
 */
export const GROUPS = {
  entitlements: {
    target: 85,
    parts: {
      all: {
        mutate: sources('content/entitlements', ['*']),
        tests: [...tests('content/entitlements', ['*']), ...tests('content/posts', ['entitlements'])],
      },
    },
  },
  access: {
    target: 85,
    parts: {
      accounts: access(
        'identity/accounts',
        tests('identity/accounts', ['access', 'sessions', 'password-change', 'login-throttle']),
      ),
      calls: access(
        'messaging/calls/call',
        tests('messaging/calls', ['call/calls', 'edges', 'history/history']),
        tests('identity/geo-blocks', ['calls']),
      ),
      chat: access(
        'messaging/chat',
        tests('messaging/chat', ['access', 'chat', 'inbox/blocked-pair', 'inbox/requests', 'thread/files']),
        tests('identity/geo-blocks', ['chat', 'files', 'geo-blocks']),
      ),
      media: access(
        'content/media/delivery',
        tests('content/media', ['delivery/*', 'uploads']),
        tests('identity/geo-blocks', ['files']),
      ),
      deposits: access('commerce/deposits', tests('commerce/deposits', ['deposits'])),
      moderation: access(
        'trust/moderation',
        tests('trust/moderation', ['access', 'evidence', 'report-appeals', 'reports']),
        tests('trust/support', ['status', 'support']),
      ),
      posts: access(
        'content/posts',
        tests('content/posts', ['access', 'posts', 'purchases']),
        tests('identity/geo-blocks', ['geo-blocks']),
      ),
      publishing: access('content/drafts', tests('content/drafts', ['drafts'])),
      wallet: access('finance/wallet', tests('finance/wallet', ['wallet'])),
    },
  },
  blocks: {
    parts: {
      all: {
        mutate: sources('identity/blocks', ['index']),
        tests: [
          ...tests('identity/blocks', ['*']),
          ...tests('messaging/chat', ['inbox/blocked-pair']),
          'server/testing/{blocked-pair,blocking}.test.ts',
        ],
      },
    },
  },
  sales: {
    target: 85,
    parts: {
      charging: {
        mutate: sources('commerce/sales', ['charge', 'holds', 'index', 'refund']),
        tests: tests('commerce/sales', ['sales', 'refunds', 'holds', 'refusals']),
      },
      commissions: {
        mutate: sources('commerce/sales', ['commissions']),
        tests: tests('commerce/sales', ['commissions', 'commission-events', 'commission-terms', 'refunds']),
      },
      fees: {
        mutate: sources('commerce/sales', ['fees', 'periods']),
        tests: tests('commerce/sales', ['fees', 'periods', 'sales', 'earned']),
      },
      limits: {
        mutate: sources('commerce/sales', ['seller-gate', 'spending-limits', 'prices']),
        tests: [
          ...tests('commerce/sales', ['prices']),
          ...tests('finance/pricing', ['price-limits']),
          ...tests('commerce/spending-limits', ['*']),
          'server/testing/seller-gate.test.ts',
        ],
      },
      statement: {
        mutate: sources('commerce/sales', ['lists', 'statement']),
        tests: [
          ...tests('finance/wallet', ['wallet', 'kinds']),
          ...tests('commerce/sales', ['earned', 'figures', 'lists']),
        ],
      },
      figures: {
        mutate: sources('commerce/sales', ['pending', 'stats']),
        tests: tests('commerce/sales', ['earned', 'figures', 'sales']),
      },
    },
  },
  ledger: {
    target: 85,
    parts: {
      posting: {
        mutate: sources('ledger/ledger', ['errors', 'index', 'transaction-legs', 'post']),
        tests: tests('ledger/ledger', ['accounts', 'errors', 'ledger', 'kinds', 'new-id', 'frozen']),
      },
      // Money clears after a sale, so these are tests of sales.
      clearing: {
        mutate: sources('ledger/ledger', ['clearing']),
        tests: tests('commerce/sales', ['clearing', 'commissions', 'refunds', 'sales']),
      },
      deposits: {
        mutate: sources('ledger/ledger', ['deposits']),
        tests: tests('ledger/ledger', ['deposits', 'debts']),
      },
      jobs: {
        mutate: sources('ledger/ledger', ['scheduled-jobs']),
        tests: ['server/testing/idempotent-jobs.test.ts'],
      },
      limits: {
        mutate: sources('ledger/ledger', ['spending-limits']),
        tests: tests('commerce/spending-limits', ['*']),
      },
      holds: {
        mutate: sources('ledger/ledger', ['holds']),
        tests: [...tests('ledger/ledger', ['holds']), ...tests('commerce/sales', ['holds', 'refusals'])],
      },
      debts: {
        mutate: sources('ledger/ledger', ['debt-parts', 'debts']),
        tests: tests('ledger/ledger', ['debtors', 'debts']),
      },
      reading: {
        // Not history-cli.ts: its test starts a process, in which no mutant is switched on.
        mutate: sources('ledger/ledger', ['transaction-search', 'history', 'statement-pages']),
        tests: [...tests('ledger/ledger', ['history']), ...tests('admin/ledger-explorer', ['admin-ledger'])],
      },
    },
  },
  'ledger-checks': {
    target: 85,
    parts: {
      all: {
        mutate: sources('ledger/ledger-checks', [
          'alarms',
          'check',
          'invariants',
          'commission-checks',
          'reconciliation-findings',
          'nightly-check',
          'scheduled-jobs',
          'settlement-check',
        ]),
        tests: tests('ledger/ledger-checks', ['invariants', 'nightly-check']),
      },
    },
  },
  sessions: {
    parts: {
      cache: {
        mutate: ['server/platform/security/session.ts'],
        tests: ['server/platform/security/session.test.ts'],
        isUnit: true,
      },
      accounts: {
        mutate: sources('identity/accounts', ['sessions']),
        tests: [
          'server/testing/sessions-ended.test.ts',
          ...tests('identity/accounts', ['sessions', 'sockets', 'login']),
        ],
      },
    },
  },
  payouts: {
    parts: {
      requests: {
        mutate: sources('finance/payouts', [
          'payout-approvals',
          'failure-claims',
          'eligibility',
          'methods',
          'requests',
          'payout-schedules',
          'settings',
          'store',
        ]),
        tests: tests('finance/payouts', ['requests', 'payout-fee', 'blocked', 'invalid', 'payout-approvals']),
      },
      transfers: {
        mutate: sources('finance/payouts', [
          'batches',
          'manual-transfers',
          'nacha',
          'paypal',
          'submit',
          'transfer-store',
          'transfers',
        ]),
        tests: tests('finance/payouts', ['transfers', 'faults', 'nacha', 'payout-approvals']),
      },
      webhooks: {
        mutate: sources('finance/payouts', ['paypal-webhooks', 'paypal-webhook-admin', 'paypal-webhook-store']),
        tests: tests('finance/payouts', ['paypal-webhooks', 'faults']),
      },
    },
  },
  contract: {
    parts: {
      ...unit('identity/accounts'),
      ...unit('finance/business-days'),
      ...unit('messaging/call-states'),
      ...unit('content/new-creator-slots'),
      ...unit('content/social-links'),
      ...unit('content/themes'),
      ...unit('commerce/deposits', 'finance/wallet'),
      ...unit('commerce/price-limits', 'commerce/prices'),
      ...unit('shared/errors'),
      ...unit('shared/single-line-text'),
      ...unit('shared/money'),
    },
  },
};
