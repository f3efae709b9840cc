/** Why and how to become a creator (row B8), with an earnings calculator. */
import { PATHS, profilePath } from '@stagedoor/contract/addresses.ts';
import { asCents, formatCents, formatUsd, percentOf } from '@stagedoor/contract/atoms/money.ts';
import { VERIFICATION } from '@stagedoor/contract/atoms/room-limits.ts';
import { houseTerms, offerOf } from '@stagedoor/contract/policies.ts';
import { type CreatorCard, listCreators } from '@stagedoor/contract/profiles.ts';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useSearchParams } from 'react-router';
import { HouseCalculator, type HouseTerms } from '../../features/house/calculator.tsx';
import { coverOf, hungOf, peopleQuery, rateOf, Sold, Steps } from '../../features/house/parts.tsx';
import { type Asked, USUAL } from '../../features/house/reckon.ts';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { useViewer } from '../../kernel/session.ts';
import { Button } from '../../ui/button.tsx';
import { Label } from '../../ui/label.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Picture } from '../../ui/picture.tsx';

export const handle: PageHandle = { hydrate: false, freeText: ['followers', 'share', 'spend'] };
export const meta = (args: MetaArgs) =>
  pageMeta(args, {
    title: 'Become a creator',
    description: 'Publish your work, set your prices and take calls when you want. See exactly what you keep.',
  });

const load: PageLoad<null> = async ({ client }) => {
  await Promise.all([client.ensureQueryData(apiQuery(houseTerms, {})), client.ensureQueryData(peopleQuery())]);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

const span = ({ min, max }: { min: number; max: number }) => `${formatUsd(min)}–${formatUsd(max)}`;
const TEN = asCents(1_000);
const SALE = asCents(1_200);
const leftOf = (cents: typeof TEN, percent: number) => formatCents(cents - percentOf(cents, percent));

function Opening({ terms, guest }: { terms: HouseTerms; guest: CreatorCard | undefined }) {
  const viewer = useViewer();
  const { generalFee } = terms;
  const offer = offerOf(terms);
  const picture = guest && coverOf(guest, '(min-width: 60rem) 42vw, 100vw', { ratio: '1 / 1', priority: true });
  return (
    <section className="open">
      <div className="open__say">
        <h1 className="display d1">
          Keep {leftOf(TEN, offer?.fee ?? generalFee)} of every {formatCents(TEN)}.
        </h1>
        <div>
          <p className="open__lead">
            Publish your work, set your prices and take calls when you want.{' '}
            {offer
              ? `For your first ${offer.days} days we take ${offer.fee}%. After that ${generalFee}%.`
              : `We take ${generalFee}%.`}
          </p>
          <div className="open__go">
            {!viewer && (
              <Button variant="primary" size="lg" href={PATHS.signupAsCreator}>
                Become a creator
              </Button>
            )}
            <Button variant="quiet" href="#sum">
              Calculate your earnings
            </Button>
          </div>
        </div>
      </div>
      {guest && picture && (
        <figure className="open__pic">
          <UiLink href={profilePath(guest.username)} aria-label={guest.name}>
            <Picture {...picture} />
          </UiLink>
          <figcaption>
            <Label who={guest.name} price={rateOf(guest)} />
          </figcaption>
        </figure>
      )}
    </section>
  );
}

const things = ({ callRate, post, chatMedia, tip }: HouseTerms['prices']) => [
  {
    what: 'Calls, billed by the second',
    price: `${span(callRate)}/min`,
    words: 'Audio or video. You set the rate and the hours.',
  },
  { what: 'Posts', price: span(post), words: 'Photos, albums, video or audio, free or paid.' },
  { what: 'Chat media', price: span(chatMedia), words: 'Paid media sent to one fan or everyone.' },
  { what: 'Tips', price: span(tip), words: 'In chat, on a post or during a call.' },
];

function Things({ terms, people }: { terms: HouseTerms; people: readonly CreatorCard[] }) {
  return (
    <section className="band" aria-labelledby="sell">
      <h2 className="display d2 band__head" id="sell">
        Four ways to earn
      </h2>
      <ul className="sell">
        {things(terms.prices).map((thing, index) => {
          const creator = people[(index + 1) % Math.max(people.length, 1)];
          return creator ? (
            <Sold
              key={thing.what}
              {...thing}
              creator={creator}
              href={profilePath(creator.username)}
              isWide={index === 0 || index === 3}
            />
          ) : (
            <li key={thing.what}>
              <Label who={thing.what} what={thing.words} price={thing.price} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Stations({ terms }: { terms: HouseTerms }) {
  const fee = offerOf(terms)?.fee ?? terms.generalFee;
  return (
    <section className="band" aria-labelledby="clears">
      <h2 className="display d2 band__head" id="clears">
        From sale to payout
      </h2>
      <ol className="stations">
        <li>
          <span className="stations__when">Right away</span>
          <h3 className="display d4">A fan unlocks your post</h3>
          <p>{formatCents(SALE)} leaves their balance. It’s prepaid, so it can’t bounce.</p>
        </li>
        <li>
          <span className="stations__when">The same second</span>
          <h3 className="display d4">You see {leftOf(SALE, fee)}</h3>
          <p>It’s pending until it clears. Our fee of {formatCents(percentOf(SALE, fee))} is shown separately.</p>
        </li>
        <li>
          <span className="stations__when">After {terms.clearingDays} days</span>
          <h3 className="display d4">It clears</h3>
          <p>It’s available in full.</p>
        </li>
        <li>
          <span className="stations__when">When you request it</span>
          <h3 className="display d4">You get paid</h3>
          <p>
            To your bank or PayPal from {formatUsd(terms.payoutMinimum)}, in crypto from{' '}
            {formatUsd(terms.cryptoMinimum)}.
          </p>
        </li>
      </ol>
    </section>
  );
}

function Working({ people }: { people: readonly CreatorCard[] }) {
  if (people.length < 3) return null;
  return (
    <section className="band" aria-label="Creators on Stagedoor">
      <ul className="wall3">
        {people.slice(0, 3).map((creator, index) => {
          const picture = coverOf(
            creator,
            index === 0 ? '(min-width: 60rem) 33vw, 100vw' : '(min-width: 60rem) 33vw, 50vw',
            {
              ratio: index === 0 ? '1 / 1' : '4 / 5',
            },
          );
          return (
            <li key={creator.id}>
              <UiLink href={profilePath(creator.username)}>
                {picture && <Picture {...picture} />}
                <Label who={creator.name} what={creator.craft} price={rateOf(creator)} stacked={index > 0} />
              </UiLink>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function askedIn(search: URLSearchParams): Asked {
  const typed = (name: keyof Asked) => (search.get(name) ?? USUAL[name]).slice(0, 10);
  return { followers: typed('followers'), share: typed('share'), spend: typed('spend') };
}

export default function BecomeCreator() {
  const terms = useApi(houseTerms, {});
  const people = hungOf(useApi(listCreators, { query: { limit: 12 } }));
  const [search] = useSearchParams();
  const viewer = useViewer();
  const offer = offerOf(terms);
  return (
    <>
      <Opening terms={terms} guest={people[0]} />
      <section className="band" id="sum" aria-labelledby="sum-title">
        <HouseCalculator asked={askedIn(search)} terms={terms} />
      </section>
      <Things terms={terms} people={people} />
      <Stations terms={terms} />
      <Working people={people.slice(5)} />
      <Steps
        id="first-steps"
        title="First steps"
        lead="You can explore before you publish."
        steps={[
          { title: 'Create your account', words: 'An email address and a password.' },
          {
            title: 'Verify your identity',
            words: `Upload an ID and a selfie. We review them within ${VERIFICATION.answerDays} business days and never show them to fans.`,
          },
          { title: 'Set your prices', words: 'A rate for calls, a price for posts. You can change them anytime.' },
          { title: 'Publish three posts', words: 'One free and two paid is a good start.' },
          {
            title: 'Turn on calls',
            words: 'Turn calls on when you’re free. Turn them off and no one can call.',
          },
        ]}
      />
      <section className="closing">
        <h2 className="display d3">
          {offer ? `Two fees to remember: ${offer.fee}%, then` : 'One fee to remember:'} {terms.generalFee}%.
        </h2>
        {viewer ? (
          <Button variant="ink" size="lg" href={PATHS.creatorFees}>
            Your fees
          </Button>
        ) : (
          <Button variant="ink" size="lg" href={PATHS.signupAsCreator}>
            Create your account
          </Button>
        )}
      </section>
    </>
  );
}
