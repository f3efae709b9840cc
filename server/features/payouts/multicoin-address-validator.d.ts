/** The part of `multicoin-address-validator` that is used here; it brings no types. */
declare module 'multicoin-address-validator' {
  /** `currency` by its symbol; `chainType` where it is on several chains. Throws for a currency that it does not know. */
  export function validate(
    address: string,
    currency: string,
    options: { networkType: 'prod'; chainType?: 'erc20' | 'tron' },
  ): boolean;
}
