/** What other platforms publish that they keep of a sale: each with where it is said and until when that was looked at. */

export type Elsewhere = {
  readonly name: string;
  readonly percent: number;
  readonly source: string;
  readonly besides: string;
};

/** The month in which these were looked up; they may have changed since, which the page says. */
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
