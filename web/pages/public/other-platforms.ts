import * as texts from './texts.ts';
export type OtherPlatform = {
  readonly name: string;
  readonly percent: number;
  readonly source: string;
  readonly conditions: string;
};

/** The month in which the fees were checked. The page states it because they may have changed since. */
export const FEES_CHECKED_IN = texts.feesCheckedMonth;

export const OTHER_PLATFORMS: readonly OtherPlatform[] = [
  { name: 'OnlyFans', percent: 20, source: 'onlyfans.com/terms', conditions: '' },
  {
    name: 'Patreon',
    percent: 10,
    source: 'patreon.com/pricing',
    conditions: texts.platformFeeConditions,
  },
];
