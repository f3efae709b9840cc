/** How the demo world's posts are written down. */

export type DemoPicture = { /** File in `art/`, without `.webp`. */ file: string; alt: string };
export type DemoPost = {
  creator: string;
  /** Whole days before the first start, and the time of that day in UTC. On day 0 the time is hours and minutes ago. */
  at: readonly [daysAgo: number, time: string];
  /** USD; 0 is free. */
  price: number;
  caption: string;
  pictures: readonly DemoPicture[];
};

/** A post; pictures are named by what follows the creator in their file's name. */
export const post = (
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
