/** How it works (row B8), in four steps each for fans and creators. The tabs are links, so they work without script. */

import { listCreators } from '@stagedoor/contract/content/profiles.ts';
import { findNewCreatorOffer, getPlatformTerms } from '@stagedoor/contract/finance/pricing.ts';
import { PATHS, profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CREDIT_PRICE_CENTS, CREDIT_VALUE_CENTS, DELETED_MEDIA_DAYS } from '@stagedoor/contract/shared/limits.ts';
import { CALL_LIMITS, VERIFICATION_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { formatCents, formatUsd } from '@stagedoor/contract/shared/money.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useSearchParams } from 'react-router';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { apiQuery, useApi } from '../../platform/query.ts';
import { useViewer } from '../../platform/session.ts';
import { Button } from '../../ui/button.tsx';
import { Tabs } from '../../ui/chips.tsx';
import { Label } from '../../ui/label.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Picture } from '../../ui/picture.tsx';
import type { PlatformTermsView } from './calculator.tsx';
import { creatorsQuery, filterWithCover, formatRateOrCraft, toCoverPicture } from './marketing-parts.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { hydrate: false, query: ['for'] };
export const meta = (args: MetaArgs) =>
  createPageMeta(args, {
    title: texts.howItWorks,
    description: texts.howItWorksDescription,
  });

const load: PageLoad<null> = async ({ client }) => {
  await Promise.all([client.ensureQueryData(apiQuery(getPlatformTerms, {})), client.ensureQueryData(creatorsQuery())]);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

type HowItWorksStep = { title: string; text: string };

const getFanSteps = (terms: PlatformTermsView): HowItWorksStep[] => [
  {
    title: texts.lookAround,
    text: texts.lookAroundDetail,
  },
  {
    title: texts.addFundsOnce,
    text: formatText(texts.addFundsDetail, {
      creditPrice: formatCents(CREDIT_PRICE_CENTS),
      creditValue: formatCents(CREDIT_VALUE_CENTS),
      dailyLimit: formatUsd(terms.dailySpend),
    }),
  },
  {
    title: texts.unlockWhatYouLike,
    text: texts.unlockDetail,
  },
  {
    title: texts.talkFaceToFace,
    text: formatText(texts.talkDetail, { freeSeconds: CALL_LIMITS.freeSeconds }),
  },
];

function formatFee(terms: PlatformTermsView): string {
  const offer = findNewCreatorOffer(terms);
  if (!offer) return formatText(texts.generalFeeTerms, { generalFee: terms.generalFee });
  return formatText(texts.newCreatorFeeTerms, { fee: offer.fee, days: offer.days, generalFee: terms.generalFee });
}

const getCreatorSteps = (terms: PlatformTermsView): HowItWorksStep[] => [
  {
    title: texts.verifyYourIdentity,
    text: formatText(texts.verificationDetail, { answerDays: VERIFICATION_LIMITS.answerDays }),
  },
  {
    title: texts.publishYourWork,
    text: formatText(texts.publishWorkDetail, { restoreDays: DELETED_MEDIA_DAYS }),
  },
  {
    title: texts.turnOnCallsAndChat,
    text: texts.callsAndChatDetail,
  },
  {
    title: texts.getPaid,
    text: formatText(texts.getPaidDetail, {
      feeTerms: formatFee(terms),
      clearingDays: terms.clearingDays,
      payoutMinimum: formatUsd(terms.payoutMinimum),
    }),
  },
];

export default function HowWorks() {
  const terms = useApi(getPlatformTerms, {});
  const featured = filterWithCover(useApi(listCreators, { query: { limit: 12 } }));
  const viewer = useViewer();
  const [search] = useSearchParams();
  const isCreators = search.get('for') === 'creators';
  const creators = `${PUBLIC_PATHS.howItWorks}?for=creators`;
  const steps = isCreators ? getCreatorSteps(terms) : getFanSteps(terms);
  return (
    <>
      <div className="leaf-head">
        <h1 className="display d1">{texts.howItWorksTitle}</h1>
        <p className="leaf-head__lead">{isCreators ? texts.creatorStepsLead : texts.fanStepsLead}</p>
      </div>
      <Tabs
        label={texts.forWhom}
        current={isCreators ? creators : PUBLIC_PATHS.howItWorks}
        tabs={[
          { href: PUBLIC_PATHS.howItWorks, label: texts.forFans },
          { href: creators, label: texts.forCreators },
        ]}
      />
      <ol className="sell pt-8">
        {steps.map(({ title, text }, index) => {
          const creator = featured[index + (isCreators ? 4 : 0)] ?? featured[index];
          const isWide = index === 0 || index === 3;
          const picture =
            creator &&
            toCoverPicture(creator, isWide ? '(min-width: 60rem) 58vw, 100vw' : '(min-width: 60rem) 42vw, 100vw', {
              ratio: '4 / 3',
              priority: index === 0,
            });
          return (
            <li key={title} className="min-w-0">
              {creator && picture && (
                <UiLink href={profilePath(creator.username)}>
                  <Picture {...picture} />
                  <Label title={creator.name} price={formatRateOrCraft(creator)} />
                </UiLink>
              )}
              <h2 className="display d3 pt-5">
                {index + 1}. {title}
              </h2>
              <p className="max-w-[52ch] pt-2 text-muted">{text}</p>
            </li>
          );
        })}
      </ol>
      <section className="closing">
        <h2 className="display d3">{isCreators ? texts.readyToStart : texts.readyToExplore}</h2>
        {viewer ? (
          <Button variant="primary" size="lg" href={PATHS.home}>
            {texts.browseCreators}
          </Button>
        ) : (
          <Button variant="primary" size="lg" href={isCreators ? PATHS.signupAsCreator : PATHS.signupAsFan}>
            {isCreators ? texts.becomeACreator : texts.createYourAccount}
          </Button>
        )}
      </section>
    </>
  );
}
