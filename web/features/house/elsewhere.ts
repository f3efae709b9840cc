export type Elsewhere = {
  readonly name: string;
  readonly percent: number;
  readonly source: string;
  readonly besides: string;
};

/** The month in which the fees were checked. The page states it because they may have changed since. */
export const LOOKED_UP = 'October 2025';

export const ELSEWHERE: readonly Elsewhere[] = [
  { name: 'OnlyFans', percent: 20, source: 'onlyfans.com/terms', besides: '' },
  {
    name: 'Patreon',
    percent: 10,
    source: 'patreon.com/pricing',
    besides: 'pages begun after 4 August 2025; card processing comes on top',
  },
];
