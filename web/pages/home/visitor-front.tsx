/**
 * The visitor's front page around the list of creators. Browsers never load its code. docs/adr/0038 defines the
 * order of its parts.
 */

import { FEATURED_WORKS, listFeaturedWorks } from '@stagedoor/contract/content/discovery-works.ts';
import type { Post } from '@stagedoor/contract/content/posts.ts';
import { type CreatorCard, listCategories } from '@stagedoor/contract/content/profiles.ts';
import { findNewCreatorOffer, getPlatformTerms } from '@stagedoor/contract/finance/pricing.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { asCents, calculatePercent, formatCents } from '@stagedoor/contract/shared/money.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import type { QueryClient } from '@tanstack/react-query';
import { findLeadPicture } from '../../modules/content/posts/post-card.tsx';
import { apiQuery, useApi } from '../../platform/query.ts';
import { Button } from '../../ui/button.tsx';
import { formatNodes } from '../../ui/format-nodes.ts';
import { isWideTile } from '../../ui/gallery-layout.ts';
import * as texts from './texts.ts';
import { type FrontCreators, VisitorFirst } from './visitor-first.tsx';
import { Crafts, FeaturedWorks, PriceNotes, SampleCall } from './visitor-more.tsx';

const MAX_FACES = 8;
const MAX_WORKS = 6;
/** Created on demand, because module-level values would become part of the browser bundle. */
const toFeaturedRequest = () => ({ query: { limit: FEATURED_WORKS.creators } });

export async function loadFront(client: QueryClient): Promise<void> {
  await Promise.all([
    client.ensureQueryData(apiQuery(listFeaturedWorks, toFeaturedRequest())),
    client.ensureQueryData(apiQuery(listCategories, {})),
    client.ensureQueryData(apiQuery(getPlatformTerms, {})),
  ]);
}

type OnlineList = { data: readonly CreatorCard[]; totalCount: number };

export function selectFrontCreators({ data, totalCount }: OnlineList, everyone: readonly CreatorCard[]): FrontCreators {
  const onlineCreators = data.slice(0, MAX_FACES);
  const onlineIds = new Set(onlineCreators.map(({ id }) => id));
  const others = everyone.filter(({ id, callRate }) => callRate !== null && !onlineIds.has(id));
  return { onlineCreators, onlineCount: totalCount, others: others.slice(0, MAX_FACES - onlineCreators.length) };
}

function selectFirst(works: readonly Post[]): Post[] {
  const isPicture = ({ type }: Post) => type === 'picture' || type === 'pictureSet';
  const open = works.find((post) => post.price === 0 && isPicture(post)) ?? works[0];
  const others = works.filter((post) => post !== open);
  const priced = others.find(({ price }) => price > 0) ?? others[0];
  return [open, priced].filter((post) => post !== undefined);
}

function sortByWidth(works: readonly Post[]): Post[] {
  const getRatio = (post: Post) => {
    // Audio has a generated picture that fits any width.
    const lead = post.type === 'audio' ? undefined : findLeadPicture(post);
    return lead ? lead.width / lead.height : 0;
  };
  const indexes = works.map((_, index) => index);
  const count = indexes.filter((index) => isWideTile(index, works.length)).length;
  const widest = new Set(works.toSorted((one, other) => getRatio(other) - getRatio(one)).slice(0, count));
  const wide = works.filter((post) => widest.has(post));
  const narrow = works.filter((post) => !widest.has(post));
  return indexes.flatMap((index) => (isWideTile(index, works.length) ? wide.shift() : narrow.shift()) ?? []);
}

export function FrontTop({ everyone, onlineList }: { everyone: readonly CreatorCard[]; onlineList: OnlineList }) {
  const works = useApi(listFeaturedWorks, toFeaturedRequest()).data;
  const crafts = useApi(listCategories, {}).data;
  const frontCreators = selectFrontCreators(onlineList, everyone);
  const first = selectFirst(works);
  const example = [...frontCreators.onlineCreators, ...frontCreators.others].find(
    ({ cover, callRate }) => cover !== null && callRate !== null,
  );
  return (
    <>
      <VisitorFirst creators={frontCreators} works={first} />
      <FeaturedWorks works={sortByWidth(works.filter((post) => !first.includes(post)).slice(0, MAX_WORKS))} />
      <PriceNotes />
      {example && example.callRate !== null && <SampleCall creator={example} rate={example.callRate} />}
      <Crafts crafts={crafts} />
    </>
  );
}

export function FrontEnd() {
  const terms = useApi(getPlatformTerms, {});
  const { generalFee } = terms;
  const offer = findNewCreatorOffer(terms);
  const ten = asCents(1_000);
  const formatShare = (percent: number) => formatCents(ten - calculatePercent(ten, percent));
  return (
    <section className="invite" aria-labelledby="invite">
      <div>
        <h2 className="display d3" id="invite">
          {formatNodes(texts.creatorQuestion, {
            shareLine: (
              <span className="block">
                {formatText(texts.creatorShare, { share: formatShare(offer?.fee ?? generalFee) })}
              </span>
            ),
          })}
        </h2>
        <p className="pt-3 text-muted">
          {formatNodes(texts.noMonthlyFee, {
            offerTerms:
              offer && formatText(texts.firstDaysOffer, { days: offer.days, generalFee: formatShare(generalFee) }),
          })}
        </p>
      </div>
      <Button size="lg" href={PUBLIC_PATHS.becomeCreator}>
        {texts.becomeACreator}
      </Button>
    </section>
  );
}
