/** How it works (row B8), in four steps each for fans and creators. The tabs are links, so they work without script. */

import { listCreators } from '@stagedoor/contract/content/profiles.ts';
import { findNewCreatorOffer, getPlatformTerms } from '@stagedoor/contract/finance/pricing.ts';
import { PATHS, profilePath } from '@stagedoor/contract/shared/addresses.ts';
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

export const handle: PageHandle = { hydrate: false, query: ['for'] };
export const meta = (args: MetaArgs) =>
  createPageMeta(args, {
    title: 'How it works',
    description: 'How Stagedoor works for fans and creators, in four steps each.',
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
    title: 'Look around',
    text: 'Browse profiles and free posts without an account. Locked posts show a blurred preview, what’s inside and the price.',
  },
  {
    title: 'Add funds once',
    text: `One credit costs ${formatCents(CREDIT_PRICE_CENTS)} and is ${formatCents(CREDIT_VALUE_CENTS)} of balance. You enter your card on our processor’s page, never here. You can spend up to ${formatUsd(terms.dailySpend)} a day.`,
  },
  {
    title: 'Unlock what you like',
    text: 'The price is on the button, with your balance before and after. One tap and it’s yours as long as you have an account.',
  },
  {
    title: 'Talk in person',
    text: `Message, tip or call creators when they’re online. Calls are billed by the second while you’re both connected, and are free under ${CALL_LIMITS.freeSeconds} seconds.`,
  },
];

function formatFee(terms: PlatformTermsView): string {
  const offer = findNewCreatorOffer(terms);
  if (!offer) return `We keep ${terms.generalFee}%`;
  return `We keep ${offer.fee}% for your first ${offer.days} days and ${terms.generalFee}% after that`;
}

const getCreatorSteps = (terms: PlatformTermsView): HowItWorksStep[] => [
  {
    title: 'Verify your identity',
    text: `Create an account, upload an ID and a selfie, and sign the agreement. We review it within ${VERIFICATION_LIMITS.answerDays} business days.`,
  },
  {
    title: 'Publish your work',
    text: `We prepare your photos, video and audio for every screen. You choose what’s free and set a price for the rest. You can restore deleted media for ${DELETED_MEDIA_DAYS} days.`,
  },
  {
    title: 'Turn on calls and chat',
    text: 'Set your price per minute, when you can be called and who can message you, and go online or offline anytime.',
  },
  {
    title: 'Get paid',
    text: `${formatFee(terms)}, shown for each sale. Sales clear after ${terms.clearingDays} days. You can request a payout from ${formatUsd(terms.payoutMinimum)}.`,
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
        <h1 className="display d1">Four steps for fans, four for creators</h1>
        <p className="leaf-head__lead">
          {isCreators ? 'From your first post to your first payout' : 'From browsing to talking in person'}
        </p>
      </div>
      <Tabs
        label="For whom"
        current={isCreators ? creators : PUBLIC_PATHS.howItWorks}
        tabs={[
          { href: PUBLIC_PATHS.howItWorks, label: 'For fans' },
          { href: creators, label: 'For creators' },
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
        <h2 className="display d3">{isCreators ? 'Ready to start?' : 'Ready to explore?'}</h2>
        {viewer ? (
          <Button variant="primary" size="lg" href={PATHS.home}>
            Browse creators
          </Button>
        ) : (
          <Button variant="primary" size="lg" href={isCreators ? PATHS.signupAsCreator : PATHS.signupAsFan}>
            {isCreators ? 'Become a creator' : 'Create your account'}
          </Button>
        )}
      </section>
    </>
  );
}
