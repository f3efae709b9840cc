/** Why and how to become a creator (row B8), with an earnings calculator. */

import { type CreatorCard, listCreators } from '@stagedoor/contract/content/profiles.ts';
import { findNewCreatorOffer, getPlatformTerms } from '@stagedoor/contract/finance/pricing.ts';
import { PATHS, profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { VERIFICATION_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { asCents, calculatePercent, formatCents, formatUsd } from '@stagedoor/contract/shared/money.ts';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useSearchParams } from 'react-router';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { apiQuery, useApi } from '../../platform/query.ts';
import { useViewer } from '../../platform/session.ts';
import { Button } from '../../ui/button.tsx';
import { Label } from '../../ui/label.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Picture } from '../../ui/picture.tsx';
import { DEFAULT_INPUTS, type IncomeInputs } from './calculate-income.ts';
import { IncomeCalculator, type PlatformTermsView } from './calculator.tsx';
import {
  creatorsQuery,
  filterWithCover,
  formatRateOrCraft,
  OfferTile,
  ProcessSteps,
  toCoverPicture,
} from './marketing-parts.tsx';

export const handle: PageHandle = { hydrate: false, freeText: ['followers', 'share', 'spend'] };
export const meta = (args: MetaArgs) =>
  createPageMeta(args, {
    title: 'Become a creator',
    description: 'Publish your work, set your prices and take calls when you want. See exactly what you keep.',
  });

const load: PageLoad<null> = async ({ client }) => {
  await Promise.all([client.ensureQueryData(apiQuery(getPlatformTerms, {})), client.ensureQueryData(creatorsQuery())]);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

const formatSpan = ({ min, max }: { min: number; max: number }) => `${formatUsd(min)}–${formatUsd(max)}`;
const TEN = asCents(1_000);
const SALE = asCents(1_200);
const formatShare = (cents: typeof TEN, percent: number) => formatCents(cents - calculatePercent(cents, percent));

function Hero({ terms, guest }: { terms: PlatformTermsView; guest: CreatorCard | undefined }) {
  const viewer = useViewer();
  const { generalFee } = terms;
  const offer = findNewCreatorOffer(terms);
  const picture = guest && toCoverPicture(guest, '(min-width: 60rem) 42vw, 100vw', { ratio: '1 / 1', priority: true });
  return (
    <section className="open">
      <div className="open__say">
        <h1 className="display d1">
          Keep {formatShare(TEN, offer?.fee ?? generalFee)} of every {formatCents(TEN)}.
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
            <Label title={guest.name} price={formatRateOrCraft(guest)} />
          </figcaption>
        </figure>
      )}
    </section>
  );
}

const listOffers = ({ callRate, post, chatMedia, tip }: PlatformTermsView['prices']) => [
  {
    title: 'Calls, billed by the second',
    price: `${formatSpan(callRate)}/min`,
    detail: 'Audio or video. You set the rate and the hours.',
  },
  { title: 'Posts', price: formatSpan(post), detail: 'Photos, albums, video or audio, free or paid.' },
  { title: 'Chat media', price: formatSpan(chatMedia), detail: 'Paid media sent to one fan or everyone.' },
  { title: 'Tips', price: formatSpan(tip), detail: 'In chat, on a post or during a call.' },
];

function Offers({ terms, creators }: { terms: PlatformTermsView; creators: readonly CreatorCard[] }) {
  return (
    <section className="band" aria-labelledby="sell">
      <h2 className="display d2 band__head" id="sell">
        Four ways to earn
      </h2>
      <ul className="sell">
        {listOffers(terms.prices).map((offer, index) => {
          const creator = creators[(index + 1) % Math.max(creators.length, 1)];
          return creator ? (
            <OfferTile
              key={offer.title}
              {...offer}
              creator={creator}
              href={profilePath(creator.username)}
              isWide={index === 0 || index === 3}
            />
          ) : (
            <li key={offer.title}>
              <Label title={offer.title} detail={offer.detail} price={offer.price} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function SaleSteps({ terms }: { terms: PlatformTermsView }) {
  const fee = findNewCreatorOffer(terms)?.fee ?? terms.generalFee;
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
          <h3 className="display d4">You see {formatShare(SALE, fee)}</h3>
          <p>
            It’s pending until it clears. Our fee of {formatCents(calculatePercent(SALE, fee))} is shown separately.
          </p>
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

function CreatorGallery({ creators }: { creators: readonly CreatorCard[] }) {
  if (creators.length < 3) return null;
  return (
    <section className="band" aria-label="Creators on Stagedoor">
      <ul className="wall3">
        {creators.slice(0, 3).map((creator, index) => {
          const picture = toCoverPicture(
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
                <Label
                  title={creator.name}
                  detail={creator.craft}
                  price={formatRateOrCraft(creator)}
                  stacked={index > 0}
                />
              </UiLink>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function parseCalculatorInput(search: URLSearchParams): IncomeInputs {
  const getInput = (name: keyof IncomeInputs) => (search.get(name) ?? DEFAULT_INPUTS[name]).slice(0, 10);
  return { followers: getInput('followers'), share: getInput('share'), spend: getInput('spend') };
}

export default function BecomeCreator() {
  const terms = useApi(getPlatformTerms, {});
  const creators = filterWithCover(useApi(listCreators, { query: { limit: 12 } }));
  const [search] = useSearchParams();
  const viewer = useViewer();
  const offer = findNewCreatorOffer(terms);
  return (
    <>
      <Hero terms={terms} guest={creators[0]} />
      <section className="band" id="sum" aria-labelledby="sum-title">
        <IncomeCalculator inputs={parseCalculatorInput(search)} terms={terms} />
      </section>
      <Offers terms={terms} creators={creators} />
      <SaleSteps terms={terms} />
      <CreatorGallery creators={creators.slice(5)} />
      <ProcessSteps
        id="first-steps"
        title="First steps"
        lead="You can explore before you publish."
        steps={[
          { title: 'Create your account', detail: 'An email address and a password.' },
          {
            title: 'Verify your identity',
            detail: `Upload an ID and a selfie. We review them within ${VERIFICATION_LIMITS.answerDays} business days and never show them to fans.`,
          },
          { title: 'Set your prices', detail: 'A rate for calls, a price for posts. You can change them anytime.' },
          { title: 'Publish three posts', detail: 'One free and two paid is a good start.' },
          {
            title: 'Turn on calls',
            detail: 'Turn calls on when you’re free. Turn them off and no one can call.',
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
