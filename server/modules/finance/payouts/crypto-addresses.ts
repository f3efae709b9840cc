/// <reference path="./multicoin-address-validator.d.ts" />

import { CRYPTO_NETWORKS, type PayoutDetails } from '@stagedoor/contract/finance/payouts.ts';
import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import * as texts from './texts.ts';

type CryptoDetails = Extract<PayoutDetails, { kind: 'crypto' }>;

/**
 * The network names of the validator. It accepts every address on an unknown network, so no other value may be passed.
 */
const CHAINS: Readonly<Record<CryptoDetails['network'], { chainType?: 'erc20' | 'tron' }>> = {
  bitcoin: {},
  litecoin: {},
  erc20: { chainType: 'erc20' },
  tron: { chainType: 'tron' },
};

/** Throws VALIDATION on `details.address` for an invalid address of the coin on the network. */
export async function requireValidAddress({ coin, network, address }: CryptoDetails): Promise<void> {
  const { validate } = await import('multicoin-address-validator');
  if (!validate(address, coin, { networkType: 'prod', ...CHAINS[network] }))
    throw createFieldError('details.address', texts.invalidCryptoAddress);
}

const HEX = '[0-9a-f]{64}';
const TRANSACTIONS: Readonly<Record<CryptoDetails['network'], RegExp>> = {
  bitcoin: new RegExp(`^${HEX}$`, 'i'),
  litecoin: new RegExp(`^${HEX}$`, 'i'),
  erc20: new RegExp(`^0x${HEX}$`, 'i'),
  tron: new RegExp(`^${HEX}$`, 'i'),
};

/** Throws VALIDATION on `field` for an invalid transaction id of the network. */
export function requireValidTransactionId(field: string, network: string | null, id: string): void {
  const known = CRYPTO_NETWORKS.find((one) => one === network);
  if (!known || !TRANSACTIONS[known].test(id))
    throw createFieldError(
      field,
      formatText(texts.invalidTransactionId, { prefixHint: known === 'erc20' ? ' after 0x' : '' }),
    );
}
