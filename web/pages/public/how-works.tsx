/** How it works (row B8), in four steps each for fans and creators. The tabs are links, so they work without script. */
import { PATHS, profilePath } from '@stagedoor/contract/addresses.ts';
import { CREDIT_PRICE_CENTS, CREDIT_VALUE_CENTS, DELETED_MEDIA_DAYS } from '@stagedoor/contract/atoms/limits.ts';
import { formatCents, formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { CALL, VERIFICATION } from '@stagedoor/contract/atoms/room-limits.ts';
import { houseTerms, offerOf } from '@stagedoor/contract/policies.ts';
import { listCreators } from '@stagedoor/contract/profiles.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useSearchParams } from 'react-router';
import type { HouseTerms } from '../../features/house/calculator.tsx';
import { coverOf, hungOf, peopleQuery, rateOf } from '../../features/house/parts.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { useViewer } from '../../kernel/session.ts';
import { Button } from '../../ui/button.tsx';
import { Tabs } from '../../ui/chips.tsx';
import { Label } from '../../ui/label.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Picture } from '../../ui/picture.tsx';

export const handle: PageHandle = { hydrate: false, query: ['for'] };
export const meta = (args: MetaArgs) =>
  pageMeta(args, {
    title: 'How it works',
    description: 'Four steps for fans, four for creators: look, add funds, open, talk; show, price, sell, be paid.',
  });

const load: PageLoad<null> = async ({ client }) => {
  await Promise.all([client.ensureQueryData(apiQuery(houseTerms, {})), client.ensureQueryData(peopleQuery())]);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

type Station = { title: string; words: string };

const forFans = (terms: HouseTerms): Station[] => [
  {
    title: 'Look around',
    words:
      'Every profile and every open work is there to be seen, without an account. What is locked shows its light, what it holds and what it costs.',
  },
  {
    title: 'Add funds once',
    words: `One credit costs ${formatCents(CREDIT_PRICE_CENTS)} and is ${formatCents(CREDIT_VALUE_CENTS)} of balance. You type your card at the processor, never here. In a day you can spend ${formatUsd(terms.dailySpend)} at most.`,
  },
  {
    title: 'Open what you like',
    words:
      'The price stands on the button, your balance before and after below it. One press, and it is yours for as long as your account exists.',
  },
  {
    title: 'Say it in person',
    words: `Write, tip, or call when a creator’s lamp is lit. Calls are charged by the second in which both of you are connected, and are free under ${CALL.freeSeconds} seconds.`,
  },
];

function weKeep(terms: HouseTerms): string {
  const offer = offerOf(terms);
  if (!offer) return `We keep ${terms.generalFee}%`;
  return `We keep ${offer.fee}% for your first ${offer.days} days and ${terms.generalFee}% afterwards`;
}

const forCreators = (terms: HouseTerms): Station[] => [
  {
    title: 'Show who you are',
    words: `An account, an identity document, a photograph of you, and the agreement signed. A person looks at it within ${VERIFICATION.answerDays} business days.`,
  },
  {
    title: 'Hang your work',
    words: `Pictures, film and sound are made ready for every screen. You say what is open and what it costs otherwise. What you delete can be brought back for ${DELETED_MEDIA_DAYS} days.`,
  },
  {
    title: 'Open the door',
    words:
      'Set what a minute costs and when you can be called, who may write to you, and switch your lamp on and off as you like.',
  },
  {
    title: 'Be paid',
    words: `${weKeep(terms)}, on its own line. A sale clears after ${terms.clearingDays} days and is paid out from ${formatUsd(terms.payoutMinimum)} when you ask.`,
  },
];

export default function HowWorks() {
  const terms = useApi(houseTerms, {});
  const people = hungOf(useApi(listCreators, { query: { limit: 12 } }));
  const viewer = useViewer();
  const [search] = useSearchParams();
  const isCreators = search.get('for') === 'creators';
  const creators = `${PUBLIC_PATHS.howItWorks}?for=creators`;
  const stations = isCreators ? forCreators(terms) : forFans(terms);
  return (
    <>
      <div className="leaf-head">
        <h1 className="display d1">Four steps, either side of the door.</h1>
        <p className="leaf-head__lead">
          {isCreators ? 'From your first picture to your first payout.' : 'From a look around to a word in person.'}
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
        {stations.map(({ title, words }, index) => {
          const creator = people[index + (isCreators ? 4 : 0)] ?? people[index];
          const isWide = index === 0 || index === 3;
          const picture =
            creator &&
            coverOf(creator, isWide ? '(min-width: 60rem) 58vw, 100vw' : '(min-width: 60rem) 42vw, 100vw', {
              ratio: '4 / 3',
              priority: index === 0,
            });
          return (
            <li key={title} className="min-w-0">
              {creator && picture && (
                <UiLink href={profilePath(creator.username)}>
                  <Picture {...picture} />
                  <Label who={creator.name} price={rateOf(creator)} />
                </UiLink>
              )}
              <h2 className="display d3 pt-5">
                {index + 1}. {title}
              </h2>
              <p className="max-w-[52ch] pt-2 text-muted">{words}</p>
            </li>
          );
        })}
      </ol>
      <section className="closing">
        <h2 className="display d3">{isCreators ? 'Your wall is empty. For now.' : 'The door is open.'}</h2>
        {viewer ? (
          <Button variant="primary" size="lg" href={PATHS.home}>
            See who is here
          </Button>
        ) : (
          <Button variant="primary" size="lg" href={isCreators ? PATHS.signupAsCreator : PATHS.signupAsFan}>
            {isCreators ? 'Open your door' : 'Create your account'}
          </Button>
        )}
      </section>
    </>
  );
}
