/** Types for the used part of `multicoin-address-validator`, which has none. */
declare module 'multicoin-address-validator' {
  /** `currency` is a symbol. `chainType` is needed for coins on several chains. Throws for an unknown currency. */
  export function validate(
    address: string,
    currency: string,
    options: { networkType: 'prod'; chainType?: 'erc20' | 'tron' },
  ): boolean;
}
