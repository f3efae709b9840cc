import { formatCents, formatRate, toCents } from '@stagedoor/contract/atoms/money.ts';
import type { PriceLimit } from '@stagedoor/contract/atoms/prices.ts';
import { CALL } from '@stagedoor/contract/atoms/room-limits.ts';
import { chargeOf } from '@stagedoor/contract/call-states.ts';
import { quoteAmount } from '@stagedoor/contract/payments.ts';
import { houseTerms } from '@stagedoor/contract/policies.ts';
import type { Post } from '@stagedoor/contract/posts.ts';
import { CRAFTS_COUNTED, type Craft, type CreatorCard } from '@stagedoor/contract/profiles.ts';
import { creatorsPath, PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';
import { WorksWall } from '../../features/posts/works-wall.tsx';
import { coverProps, profileHref } from '../../features/profiles/creator-card.tsx';
import { isolated } from '../../kernel/bidi.ts';
import { formatTalk, plural } from '../../kernel/dates.ts';
import { useApi } from '../../kernel/query.ts';
import { Sum } from '../../ui/facts.tsx';
import { Label, SectionHead } from '../../ui/label.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Picture } from '../../ui/picture.tsx';

export function Hanging({ works }: { works: readonly Post[] }) {
  if (works.length === 0) return null;
  return (
    <section id="hanging" className="front-band" aria-labelledby="hanging-title">
      <SectionHead id="hanging-title" title="Latest posts" size="d2" end="All posts" href={PUBLIC_PATHS.works} />
      <WorksWall works={works} />
    </section>
  );
}

/** Created on demand, so that it does not become part of the browser bundle. */
function facts({ min }: PriceLimit) {
  const { payableCents, amountCents, feeCents } = quoteAmount(toCents(min));
  return [
    {
      name: 'Calls are billed by the second',
      words: `Calls under ${CALL.freeSeconds} seconds are free. You always see the timer and what you’ve spent.`,
    },
    {
      name: 'No hidden fees',
      words: `${formatCents(payableCents)} adds ${formatCents(amountCents)} to your balance. You see the ${formatCents(feeCents)} fee before you pay.`,
    },
    {
      name: 'No subscriptions',
      words: 'Pay once for what you unlock and keep it. Nothing renews.',
    },
  ] as const;
}

export function OnTheWall() {
  const { prices } = useApi(houseTerms, {});
  return (
    <section className="front-band" aria-labelledby="prices">
      <SectionHead id="prices" title="You always see the price first" size="d2" />
      <ul className="three">
        {facts(prices.addFunds).map(({ name, words }) => (
          <li key={name}>
            <h3 className="font-semibold">{name}</h3>
            <p className="tabular-nums">{words}</p>
          </li>
        ))}
      </ul>
      <p className="pt-3">
        <UiLink href={PUBLIC_PATHS.pricing} className="link inline-flex min-h-11 items-center">
          See pricing
        </UiLink>
      </p>
    </section>
  );
}

/** The seconds of a sample call. */
const EXAMPLE = { rings: 9, talks: 372, lost: 6 };

export function Receipt({ creator, rate }: { creator: CreatorCard; rate: number }) {
  const picture = coverProps(creator, '(min-width: 60rem) 58vw, 100vw');
  const total = formatCents(chargeOf(EXAMPLE.talks * 1_000, toCents(rate)));
  return (
    <section className="scene" aria-labelledby="call">
      {picture && (
        <UiLink href={profileHref(creator)} className="scene__pic">
          <Picture {...picture} alt="" />
          <Label who={creator.name} what={isolated(creator.craft)} price={formatRate(rate)} />
        </UiLink>
      )}
      <div className="scene__sum">
        <h2 className="display d2 max-w-[11ch]" id="call">
          How calls are billed
        </h2>
        <div className="receipt">
          <p>
            Say you call <bdi>{creator.name}</bdi>:
          </p>
          <Sum
            lines={[
              { name: `Ringing, ${formatTalk(EXAMPLE.rings)}`, value: formatCents(0) },
              { name: `Talking, ${formatTalk(EXAMPLE.talks)} at ${formatRate(rate)}`, value: total },
              { name: `Connection lost, ${formatTalk(EXAMPLE.lost)}`, value: formatCents(0) },
            ]}
            total={{ name: 'You pay', value: total }}
          />
        </div>
        <p className="scene__note">
          We hold {CALL.holdMinutes} minutes’ worth while you talk and release whatever you don’t use when you hang up.
        </p>
      </div>
    </section>
  );
}

function countOf({ count }: Craft): string {
  return count < CRAFTS_COUNTED ? plural(count, 'creator') : `${CRAFTS_COUNTED.toLocaleString('en-US')}+ creators`;
}

export function Crafts({ crafts }: { crafts: readonly Craft[] }) {
  return (
    <section className="front-band" aria-labelledby="crafts">
      <SectionHead id="crafts" title="Browse by category" size="d2" />
      <ul className="crafts">
        {crafts.map((craft) => {
          const { category, cover } = craft;
          const picture = cover && coverProps({ cover: cover.picture, coverFocus: cover.focus }, '88px', { alt: '' });
          return (
            <li key={category}>
              <UiLink href={creatorsPath({ category })}>
                <Picture {...(picture ?? { alt: '', empty: <span /> })} ratio="1" />
                <b className="display d3 min-w-0 wrap-anywhere">{category}</b>
                <span className="num">{countOf(craft)}</span>
              </UiLink>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
