import type { PostDetailsBody } from '@stagedoor/contract/content/post-details.ts';

export type DemoPicture = { /** File in `art/`, without `.webp`. */ file: string; alt: string };
export type DemoPost = {
  creator: string;
  /** Days before the first start and UTC time. On day 0, hours and minutes ago. */
  at: readonly [daysAgo: number, time: string];
  price: number;
  caption: string;
  pictures: readonly DemoPicture[];
  details?: PostDetailsBody;
  /** The name of the creator's lowest tier that opens the post. */
  tier?: string | undefined;
};

/** Pictures are named by the part of the file name after the creator. */
export const createDemoPost = (
  creator: string,
  at: DemoPost['at'],
  price: number,
  caption: string,
  ...pictures: [file: string, alt: string][]
): DemoPost => ({
  creator,
  at,
  price,
  caption,
  pictures: pictures.map(([file, alt]) => ({ file: `${creator}-${file}`, alt })),
});
