/**
 * The visitor's front page around the list of creators. Browsers never load its code. docs/adr/0038 defines the
 * order of its parts.
 */
import { asCents, formatCents, percentOf } from '@stagedoor/contract/atoms/money.ts';
import { houseTerms, offerOf } from '@stagedoor/contract/policies.ts';
import type { Post } from '@stagedoor/contract/posts.ts';
import { type CreatorCard, listCrafts } from '@stagedoor/contract/profiles.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';
import { HANGING, listHanging } from '@stagedoor/contract/works.ts';
import type { QueryClient } from '@tanstack/react-query';
import { leadPicture } from '../../features/posts/post-card.tsx';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';
import { hangsWide } from '../../ui/rhythm.ts';
import { type AtTheDoor, VisitorFirst } from './visitor-first.tsx';
import { Crafts, Hanging, OnTheWall, Receipt } from './visitor-more.tsx';

const FACES = 8;
const HUNG = 6;
/** Created on demand, because module-level values would become part of the browser bundle. */
const hanging = () => ({ query: { limit: HANGING.creators } });

export async function loadFront(client: QueryClient): Promise<void> {
  await Promise.all([
    client.ensureQueryData(apiQuery(listHanging, hanging())),
    client.ensureQueryData(apiQuery(listCrafts, {})),
    client.ensureQueryData(apiQuery(houseTerms, {})),
  ]);
}

type Door = { data: readonly CreatorCard[]; totalCount: number };

export function atTheDoor({ data, totalCount }: Door, everyone: readonly CreatorCard[]): AtTheDoor {
  const there = data.slice(0, FACES);
  const known = new Set(there.map(({ id }) => id));
  const others = everyone.filter(({ id, callRate }) => callRate !== null && !known.has(id));
  return { there, online: totalCount, others: others.slice(0, FACES - there.length) };
}

function firstOf(works: readonly Post[]): Post[] {
  const isPicture = ({ type }: Post) => type === 'picture' || type === 'pictureSet';
  const open = works.find((post) => post.price === 0 && isPicture(post)) ?? works[0];
  const others = works.filter((post) => post !== open);
  const priced = others.find(({ price }) => price > 0) ?? others[0];
  return [open, priced].filter((post) => post !== undefined);
}

function byWidth(works: readonly Post[]): Post[] {
  const widthOf = (post: Post) => {
    // Audio has a generated picture that fits any width.
    const lead = post.type === 'audio' ? undefined : leadPicture(post);
    return lead ? lead.width / lead.height : 0;
  };
  const places = works.map((_, index) => index);
  const count = places.filter((index) => hangsWide(index, works.length)).length;
  const widest = new Set(works.toSorted((one, other) => widthOf(other) - widthOf(one)).slice(0, count));
  const wide = works.filter((post) => widest.has(post));
  const narrow = works.filter((post) => !widest.has(post));
  return places.flatMap((index) => (hangsWide(index, works.length) ? wide.shift() : narrow.shift()) ?? []);
}

export function FrontTop({ everyone, door }: { everyone: readonly CreatorCard[]; door: Door }) {
  const works = useApi(listHanging, hanging()).data;
  const crafts = useApi(listCrafts, {}).data;
  const faces = atTheDoor(door, everyone);
  const first = firstOf(works);
  const called = [...faces.there, ...faces.others].find(({ cover, callRate }) => cover !== null && callRate !== null);
  return (
    <>
      <VisitorFirst door={faces} works={first} />
      <Hanging works={byWidth(works.filter((post) => !first.includes(post)).slice(0, HUNG))} />
      <OnTheWall />
      {called && called.callRate !== null && <Receipt creator={called} rate={called.callRate} />}
      <Crafts crafts={crafts} />
    </>
  );
}

export function FrontEnd() {
  const terms = useApi(houseTerms, {});
  const { generalFee } = terms;
  const offer = offerOf(terms);
  const ten = asCents(1_000);
  const keptAt = (percent: number) => formatCents(ten - percentOf(ten, percent));
  return (
    <section className="invite" aria-labelledby="invite">
      <div>
        <h2 className="display d3" id="invite">
          Are you a creator? <span className="block">Keep {keptAt(offer?.fee ?? generalFee)} of every $10.00.</span>
        </h2>
        <p className="pt-3 text-muted">
          {offer && `For your first ${offer.days} days, then ${keptAt(generalFee)}. `}No monthly fee.
        </p>
      </div>
      <Button size="lg" href={PUBLIC_PATHS.becomeCreator}>
        Become a creator
      </Button>
    </section>
  );
}
