/** Explains how lists of creators are ordered (row B1). Tests compare the text with the rules. */

import { FEATURED_WORKS } from '@stagedoor/contract/content/discovery-works.ts';
import { NEW_CREATOR_SLOTS } from '@stagedoor/contract/content/new-creator-slots.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { SEARCH_TERMS_MAX } from '@stagedoor/contract/shared/limits.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import type { MetaArgs } from 'react-router';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { Button } from '../../ui/button.tsx';
import { ArticlePage, PriceTable } from './marketing-parts.tsx';

export const handle: PageHandle = { hydrate: false };
export const meta = (args: MetaArgs) =>
  createPageMeta(args, {
    title: 'How we rank creators',
    description: 'How creators are ranked. No paid placement, and spots reserved for new creators.',
  });

const PLACE_HEAD = ['Section', 'What it shows', 'How it’s ordered'];
const PLACES = [
  [
    'Featured creators',
    'Creators who are online. If there are fewer than eight, others from Discover creators who take calls',
    'By followers. A filled dot means online, an empty dot means offline',
  ],
  ['Lead posts', 'The first free photo post of Latest posts, and its first paid post', 'Newest first'],
  [
    'Latest posts',
    `The ${FEATURED_WORKS.creators} creators who published most recently, with one of their latest ${FEATURED_WORKS.latest} posts each`,
    `Newest first. One in ${FEATURED_WORKS.every} is a paid post and shows a blurred preview only. Creators without a free post get those spots first. The widest photos are shown wide`,
  ],
  ['Sample call', 'The first featured creator who takes calls and has a cover photo', 'Same as featured creators'],
  ['Category photo', 'The cover photo of a creator in that category who has published', 'By followers'],
  ['Discover creators', 'All creators', 'By followers, with spots reserved for new creators'],
];

export default function Discovery() {
  return (
    <ArticlePage
      title="How we rank creators"
      lead="No paid placement, no promotion, no personalization based on what you view."
      sections={[
        {
          id: 'lists',
          title: 'The lists',
          children: (
            <PriceTable
              isText
              caption="The lists and their rules"
              head={['List', 'What it shows', 'How it’s ordered']}
              rows={[
                ['Discover creators', 'All creators', 'By followers, with spots reserved for new creators'],
                ['New', 'All creators', 'Newest first'],
                ['Online now', 'Creators who are online and have published', 'By followers'],
                ['Category', 'Creators in that category', 'By followers'],
                [
                  'Search',
                  `Creators with each of the first ${SEARCH_TERMS_MAX} words you type in their name, craft, city, category or bio, in any order. A word also matches the start of a longer word and, from three letters, any part of one. Accents and capitals are ignored. If nothing matches, we correct small typos and also show creators who match only some of the words`,
                  'Creators with your rarest word itself, or with the most common word that starts with it. Then those with it inside another word, then those with only some of your words. Each group by followers, in steps that double; within a step, newest first',
                ],
                ['All posts', 'Posts from all creators', 'Newest first, free and paid'],
                ['Your feed', 'Posts from creators you follow', 'Newest first'],
              ]}
            />
          ),
        },
        {
          id: 'front',
          title: 'The home page',
          intro: 'Every section that shows creators, from top to bottom, as visitors see it.',
          children: (
            <PriceTable isText caption="Sections of the home page and their rules" head={PLACE_HEAD} rows={PLACES} />
          ),
        },
        {
          id: 'newcomers',
          title: 'Spots for new creators',
          intro: `One in ${NEW_CREATOR_SLOTS.every} spots on the home page goes to a new creator.`,
          children: (
            <p className="leaf__note">
              A new creator joined in the last {NEW_CREATOR_SLOTS.days} days, is verified, has published something, and
              has at most {NEW_CREATOR_SLOTS.followers} followers. At most {NEW_CREATOR_SLOTS.max} get a spot each day.
              They are picked at random every day.
            </p>
          ),
        },
        {
          id: 'never',
          title: 'What we never use',
          children: (
            <>
              <div className="leaf__text">
                <ul>
                  <li>Money: what a creator earns, charges or pays us.</li>
                  <li>Looks, wording or AI scores.</li>
                  <li>What you viewed, liked or unlocked.</li>
                </ul>
              </div>
              <div className="open__go pt-6">
                <Button variant="primary" size="lg" href={PATHS.home}>
                  Browse creators
                </Button>
                <Button href={PUBLIC_PATHS.howItWorks}>How it works</Button>
              </div>
            </>
          ),
        },
      ]}
    />
  );
}
