/** Explains how lists of creators are ordered (row B1). Tests compare the text with the rules. */

import { FEATURED_WORKS } from '@stagedoor/contract/content/discovery-works.ts';
import { NEW_CREATOR_SLOTS } from '@stagedoor/contract/content/new-creator-slots.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { SEARCH_TERMS_MAX } from '@stagedoor/contract/shared/limits.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import type { MetaArgs } from 'react-router';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { Button } from '../../ui/button.tsx';
import { ArticlePage, PriceTable } from './marketing-parts.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { hydrate: false };
export const meta = (args: MetaArgs) =>
  createPageMeta(args, {
    title: texts.howWeRankCreators,
    description: texts.rankingDescription,
  });

const PLACE_HEAD = [texts.section, texts.whatItShows, texts.howItsOrdered];
const PLACES = [
  [texts.featuredCreators, texts.featuredCreatorsContent, texts.featuredCreatorsOrder],
  [texts.leadPosts, texts.leadPostsContent, texts.newestFirst],
  [
    texts.latestPosts,
    formatText(texts.latestPostsContent, { creatorCount: FEATURED_WORKS.creators, postCount: FEATURED_WORKS.latest }),
    formatText(texts.latestPostsOrder, { interval: FEATURED_WORKS.every }),
  ],
  [texts.sampleCall, texts.sampleCallContent, texts.sameAsFeaturedCreators],
  [texts.categoryPhoto, texts.categoryPhotoContent, texts.byFollowers],
  [texts.discoverCreators, texts.allCreators, texts.discoverCreatorsOrder],
];

export default function Discovery() {
  return (
    <ArticlePage
      title={texts.howWeRankCreators}
      lead={texts.rankingLead}
      sections={[
        {
          id: 'lists',
          title: texts.theLists,
          children: (
            <PriceTable
              isText
              caption={texts.listsCaption}
              head={[texts.list, texts.whatItShows, texts.howItsOrdered]}
              rows={[
                [texts.discoverCreators, texts.allCreators, texts.discoverCreatorsOrder],
                [texts.newLabel, texts.allCreators, texts.newestFirst],
                [texts.onlineNow, texts.onlineNowContent, texts.byFollowers],
                [texts.categoryList, texts.categoryListContent, texts.byFollowers],
                [texts.search, formatText(texts.searchContent, { maxTerms: SEARCH_TERMS_MAX }), texts.searchOrder],
                [texts.allPosts, texts.allPostsContent, texts.allPostsOrder],
                [texts.yourFeed, texts.yourFeedContent, texts.newestFirst],
              ]}
            />
          ),
        },
        {
          id: 'front',
          title: texts.theHomePage,
          intro: texts.homeSectionsLead,
          children: <PriceTable isText caption={texts.homeSectionsCaption} head={PLACE_HEAD} rows={PLACES} />,
        },
        {
          id: 'newcomers',
          title: texts.spotsForNewCreators,
          intro: formatText(texts.newCreatorSpots, { interval: NEW_CREATOR_SLOTS.every }),
          children: (
            <p className="leaf__note">
              {formatText(texts.newCreatorRules, {
                days: NEW_CREATOR_SLOTS.days,
                followers: NEW_CREATOR_SLOTS.followers,
                maxCreators: NEW_CREATOR_SLOTS.max,
              })}
            </p>
          ),
        },
        {
          id: 'never',
          title: texts.whatWeNeverUse,
          children: (
            <>
              <div className="leaf__text">
                <ul>
                  <li>{texts.neverUseMoney}</li>
                  <li>{texts.neverUseLooks}</li>
                  <li>{texts.neverUseHistory}</li>
                </ul>
              </div>
              <div className="open__go pt-6">
                <Button variant="primary" size="lg" href={PATHS.home}>
                  {texts.browseCreators}
                </Button>
                <Button href={PUBLIC_PATHS.howItWorks}>{texts.howItWorks}</Button>
              </div>
            </>
          ),
        },
      ]}
    />
  );
}
