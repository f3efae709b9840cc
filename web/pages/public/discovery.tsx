/** Explains how lists of creators are ordered (row B1). Tests compare the text with the rules. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { SEARCH_WORDS } from '@stagedoor/contract/atoms/limits.ts';
import { FAIR_SHARE } from '@stagedoor/contract/fair-share.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';
import { HANGING } from '@stagedoor/contract/works.ts';
import type { MetaArgs } from 'react-router';
import { Fares, Leaf } from '../../features/house/parts.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { Button } from '../../ui/button.tsx';

export const handle: PageHandle = { hydrate: false };
export const meta = (args: MetaArgs) =>
  pageMeta(args, {
    title: 'Why you see whom you see',
    description: 'The rules by which creators are shown: no place is sold, and newcomers have places of their own.',
  });

const PLACE_HEAD = ['Place', 'Who is in it', 'By which rule'];
const PLACES = [
  [
    'The faces',
    'Who is online; where they are fewer than eight, others of On show tonight who take calls',
    'By followers. A full lamp is there now, a hollow one is not',
  ],
  [
    'The large work and its neighbour',
    'The first open picture of Hanging tonight, and its first work with a price',
    'The newest',
  ],
  [
    'Hanging tonight',
    `The ${HANGING.creators} creators who published last, with one work each of their latest ${HANGING.latest}`,
    `The newest first, open to all; of every ${HANGING.every} one has a price and shows its light alone. Who has nothing open comes into those places first. The widest pictures hang wide`,
  ],
  ['The call', 'The first of the faces who takes calls and has a cover', 'As the faces'],
  ['A craft’s picture', 'Of those who chose the craft and have published something, one with a cover', 'By followers'],
  ['On show tonight', 'Everybody', 'By followers, with places kept for newcomers'],
];

export default function Discovery() {
  return (
    <Leaf
      title="Why you see whom you see."
      lead="No place is sold, nobody is pushed, and nothing that you look at changes what you are shown."
      sections={[
        {
          id: 'lists',
          title: 'The lists',
          children: (
            <Fares
              isWords
              caption="The lists and their rules"
              head={['List', 'Who is in it', 'In which order']}
              rows={[
                ['On show tonight', 'Everybody', 'By followers, with places kept for newcomers'],
                ['New', 'Everybody', 'Who came last is first'],
                ['At the door now', 'Who is online and has something to show', 'By followers'],
                ['A craft', 'Who chose that craft', 'By followers'],
                [
                  'Search',
                  `Who has each of the first ${SEARCH_WORDS} words that were typed, or one that begins so or has it within (not for one or two letters alone), in name, craft, city, category or what they say of themselves, in any order. Accents and capitals do not count. Where that finds nobody, a slip of the pen is mended, and who then has some of the words alone is shown as well`,
                  'Who has the rarest word itself, else the commonest that begins so; then who has it within another; last who has some of the words. Each by followers, counted in doublings; among equals, who came last is first',
                ],
                ['All works', 'Everybody who has published something', 'The newest first, without a price or with one'],
                ['Your feed', 'Whom you follow', 'The newest first'],
              ]}
            />
          ),
        },
        {
          id: 'front',
          title: 'The front page',
          say: 'Every place on it that shows somebody, from the top, as a visitor sees it.',
          children: (
            <Fares isWords caption="The places of the front page and their rules" head={PLACE_HEAD} rows={PLACES} />
          ),
        },
        {
          id: 'newcomers',
          title: 'A fair share',
          say: `Of every ${FAIR_SHARE.every} places of the front page, one is a newcomer’s.`,
          children: (
            <p className="leaf__note">
              A newcomer began in the last {FAIR_SHARE.days} days, is verified, has published something, and has at most{' '}
              {FAIR_SHARE.followers} followers. At most {FAIR_SHARE.most} have a place each day. Who they are changes
              every day, by lot, and nobody can ask for it.
            </p>
          ),
        },
        {
          id: 'never',
          title: 'What never counts',
          children: (
            <>
              <div className="leaf__text">
                <ul>
                  <li>Money: what somebody earns, pays us or costs.</li>
                  <li>Looks, words or what a machine thinks of them.</li>
                  <li>What you looked at, liked or bought.</li>
                </ul>
              </div>
              <div className="open__go pt-6">
                <Button variant="primary" size="lg" href={PATHS.home}>
                  See who is here
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
