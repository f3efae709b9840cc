/** Addresses on chains, held to their coin and network. */
/// <reference path="./multicoin-address-validator.d.ts" />
import { invalid } from '@stagedoor/contract/atoms/errors.ts';
import type { PayoutDetails } from '@stagedoor/contract/payouts.ts';
import { validate } from 'multicoin-address-validator';

type Crypto = Extract<PayoutDetails, { kind: 'crypto' }>;

/** How the validator names each network. It takes every address on one that it does not know, so no other is ever passed. */
const CHAINS: Readonly<Record<Crypto['network'], { chainType?: 'erc20' | 'tron' }>> = {
  bitcoin: {},
  litecoin: {},
  erc20: { chainType: 'erc20' },
  tron: { chainType: 'tron' },
};

/** Throws VALIDATION on `details.address` for an address that is none of that coin on that network. */
export function requireAddress({ coin, network, address }: Crypto): void {
  if (!validate(address, coin, { networkType: 'prod', ...CHAINS[network] }))
    throw invalid('details.address', 'This is no address of that coin on that network: please copy it again.');
}
