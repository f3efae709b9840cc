const WORDS: Readonly<Record<string, string>> = {
  'liab:fan:*:wallet': 'Fan’s wallet',
  'liab:fan:*:call_hold': 'Set aside for a call',
  'asset:fan:*:receivable': 'Owed by a fan',
  'liab:creator:*:pending': 'Creator’s earnings, to clear',
  'liab:creator:*:available': 'Creator’s earnings, available',
  'liab:creator:*:payout_reserved': 'Reserved for a creator’s payout',
  'asset:creator:*:receivable': 'Owed by a creator',
  'liab:affiliate:*:pending': 'Commissions, to clear',
  'liab:affiliate:*:available': 'Commissions, available',
  'liab:affiliate:*:payout_reserved': 'Reserved for a payout of commissions',
  'asset:affiliate:*:receivable': 'Owed of commissions',
  'liab:payout_clearing:ach': 'On its way by bank',
  'liab:payout_clearing:paypal': 'On its way by PayPal',
  'liab:payout_clearing:crypto': 'On its way in coins',
  'asset:bank:operating': 'Our bank account',
  'rev:deposit_fee': 'Fee of adding funds',
  'rev:payout_fee': 'Fee of payouts',
  'rev:platform_fee:tip': 'Platform’s part of tips',
  'rev:platform_fee:post': 'Platform’s part of posts',
  'rev:platform_fee:chat': 'Platform’s part of chat media',
  'rev:platform_fee:call': 'Platform’s part of calls',
  'exp:affiliate': 'Commissions paid',
  'exp:processor_fee': 'Fees of the card processor',
  'exp:chargeback_fee': 'Fees of chargebacks',
  'exp:chargeback_loss': 'Lost by payments taken back',
};
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

export function accountWords(code: string): string {
  const pattern = code.replace(UUID, '*');
  const processor = /^asset:processor:([a-z0-9_]+):clearing$/.exec(pattern)?.[1];
  if (processor !== undefined) return `On its way from the card processor (${processor})`;
  return WORDS[pattern] ?? pattern;
}
