/** Why somebody is shown here (row B1): the rule of every list of creators, in words that its tests hold. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { FAIR_SHARE } from '@stagedoor/contract/fair-share.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';
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
                  'Whose name, craft, city or words fit',
                  'What fits as typed; if nothing does, what comes closest',
                ],
                ['Your feed', 'Whom you follow', 'The newest first'],
              ]}
            />
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
