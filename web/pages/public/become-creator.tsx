/** Why and how to become a creator (row B8), with an earnings calculator. */

import { type CreatorCard, listCreators } from '@stagedoor/contract/content/profiles.ts';
import { findNewCreatorOffer, getPlatformTerms } from '@stagedoor/contract/finance/pricing.ts';
import { PATHS, profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
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
import * as texts from './texts.ts';

export const handle: PageHandle = { hydrate: false, freeText: ['followers', 'share', 'spend'] };
export const meta = (args: MetaArgs) =>
  createPageMeta(args, {
    title: texts.becomeACreator,
    description: texts.becomeCreatorDescription,
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
          {formatText(texts.heroTitle, { share: formatShare(TEN, offer?.fee ?? generalFee), total: formatCents(TEN) })}
        </h1>
        <div>
          <p className="open__lead">
            {formatText(texts.heroLead, {
              feeSummary: offer
                ? formatText(texts.heroNewCreatorFee, { days: offer.days, fee: offer.fee, generalFee })
                : formatText(texts.heroFee, { generalFee }),
            })}
          </p>
          <div className="open__go">
            {!viewer && (
              <Button variant="primary" size="lg" href={PATHS.signupAsCreator}>
                {texts.becomeACreator}
              </Button>
            )}
            <Button variant="quiet" href="#sum">
              {texts.calculateYourEarnings}
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
    title: texts.callsBilledByTheSecond,
    price: `${formatSpan(callRate)}/min`,
    detail: texts.callsOfferDetail,
  },
  { title: texts.posts, price: formatSpan(post), detail: texts.postsOfferDetail },
  { title: texts.chatMedia, price: formatSpan(chatMedia), detail: texts.chatMediaOfferDetail },
  { title: texts.tips, price: formatSpan(tip), detail: texts.tipsOfferDetail },
];

function Offers({ terms, creators }: { terms: PlatformTermsView; creators: readonly CreatorCard[] }) {
  return (
    <section className="band" aria-labelledby="sell">
      <h2 className="display d2 band__head" id="sell">
        {texts.fourWaysToEarn}
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
        {texts.fromSaleToPayout}
      </h2>
      <ol className="stations">
        <li>
          <span className="stations__when">{texts.rightAway}</span>
          <h3 className="display d4">{texts.saleStepTitle}</h3>
          <p>{formatText(texts.saleStepDetail, { price: formatCents(SALE) })}</p>
        </li>
        <li>
          <span className="stations__when">{texts.theSameSecond}</span>
          <h3 className="display d4">{formatText(texts.pendingStepTitle, { share: formatShare(SALE, fee) })}</h3>
          <p>{formatText(texts.pendingStepDetail, { fee: formatCents(calculatePercent(SALE, fee)) })}</p>
        </li>
        <li>
          <span className="stations__when">
            {formatText(texts.clearingStepTime, { clearingDays: terms.clearingDays })}
          </span>
          <h3 className="display d4">{texts.clearingStepTitle}</h3>
          <p>{texts.clearingStepDetail}</p>
        </li>
        <li>
          <span className="stations__when">{texts.payoutStepTime}</span>
          <h3 className="display d4">{texts.youGetPaid}</h3>
          <p>
            {formatText(texts.payoutStepDetail, {
              payoutMinimum: formatUsd(terms.payoutMinimum),
              cryptoMinimum: formatUsd(terms.cryptoMinimum),
            })}
          </p>
        </li>
      </ol>
    </section>
  );
}

function CreatorGallery({ creators }: { creators: readonly CreatorCard[] }) {
  if (creators.length < 3) return null;
  return (
    <section className="band" aria-label={texts.creatorsOnStagedoor}>
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
        title={texts.firstSteps}
        lead={texts.firstStepsLead}
        steps={[
          { title: texts.createYourAccount, detail: texts.createAccountDetail },
          {
            title: texts.verifyYourIdentity,
            detail: formatText(texts.verifyIdentityDetail, { answerDays: VERIFICATION_LIMITS.answerDays }),
          },
          { title: texts.setYourPrices, detail: texts.setPricesDetail },
          { title: texts.publishThreePosts, detail: texts.firstPostsDetail },
          {
            title: texts.turnOnCalls,
            detail: texts.turnOnCallsDetail,
          },
        ]}
      />
      <section className="closing">
        <h2 className="display d3">
          {offer ? formatText(texts.twoFeesTitle, { fee: offer.fee }) : texts.oneFeeTitle} {terms.generalFee}%.
        </h2>
        {viewer ? (
          <Button variant="ink" size="lg" href={PATHS.creatorFees}>
            {texts.yourFees}
          </Button>
        ) : (
          <Button variant="ink" size="lg" href={PATHS.signupAsCreator}>
            {texts.createYourAccount}
          </Button>
        )}
      </section>
    </>
  );
}
