const ACCOUNT_LABELS: Readonly<Record<string, string>> = {
  'liab:fan:*:wallet': 'Fan’s wallet',
  'liab:fan:*:call_hold': 'On hold for calls',
  'asset:fan:*:receivable': 'Owed by a fan',
  'liab:creator:*:pending': 'Creator’s earnings, pending',
  'liab:creator:*:available': 'Creator’s earnings, available',
  'liab:creator:*:payout_reserved': 'Reserved for a creator’s payout',
  'asset:creator:*:receivable': 'Owed by a creator',
  'liab:affiliate:*:pending': 'Commissions, pending',
  'liab:affiliate:*:available': 'Commissions, available',
  'liab:affiliate:*:payout_reserved': 'Reserved for a commission payout',
  'asset:affiliate:*:receivable': 'Commissions owed back',
  'liab:payout_clearing:ach': 'In transit (bank)',
  'liab:payout_clearing:paypal': 'In transit (PayPal)',
  'liab:payout_clearing:crypto': 'In transit (crypto)',
  'asset:bank:operating': 'Our bank account',
  'rev:deposit_fee': 'Deposit fees',
  'rev:payout_fee': 'Payout fees',
  'rev:platform_fee:tip': 'Platform fee: tips',
  'rev:platform_fee:post': 'Platform fee: posts',
  'rev:platform_fee:chat': 'Platform fee: chat media',
  'rev:platform_fee:call': 'Platform fee: calls',
  'exp:affiliate': 'Commissions paid',
  'exp:processor_fee': 'Card processor fees',
  'exp:chargeback_fee': 'Chargeback fees',
  'exp:chargeback_loss': 'Chargeback losses',
};
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

export function formatAccountLabel(code: string): string {
  const pattern = code.replace(UUID, '*');
  const processor = /^asset:processor:([a-z0-9_]+):clearing$/.exec(pattern)?.[1];
  if (processor !== undefined) return `In transit from the card processor (${processor})`;
  return ACCOUNT_LABELS[pattern] ?? pattern;
}
