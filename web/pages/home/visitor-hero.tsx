/** What a visitor sees first: the promise on the left, one creator's work on the right. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { CreatorCard } from '@stagedoor/contract/profiles.ts';
import { coverProps, profileHref } from '../../features/profiles/creator-card.tsx';
import { Button } from '../../ui/button.tsx';
import { Label } from '../../ui/label.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Picture } from '../../ui/picture.tsx';

function Guest({ creator }: { creator: CreatorCard }) {
  const picture = coverProps(creator, '(min-width: 60rem) 42vw, 100vw', { priority: true });
  if (!picture) return null;
  const rate = creator.callRate === null ? creator.craft : `Calls from ${formatUsd(creator.callRate)}/min`;
  return (
    <figure className="bleed lg:relative lg:mx-0 lg:h-full">
      <UiLink
        href={profileHref(creator)}
        aria-label={creator.name}
        className="block lg:absolute lg:inset-0 lg:bottom-12"
      >
        <Picture {...picture} ratio="3 / 2" className="lg:!aspect-auto lg:h-full" />
      </UiLink>
      <figcaption className="px-edge lg:absolute lg:inset-x-0 lg:bottom-0 lg:flex lg:h-12 lg:items-center lg:pl-0 lg:[&>.label]:w-full lg:[&>.label]:pt-0">
        <Label who={creator.name} price={rate} />
      </figcaption>
    </figure>
  );
}

export function VisitorHero({ guest }: { guest: CreatorCard | undefined }) {
  return (
    <section className="grid gap-6 pt-5 pb-9 lg:-mr-edge lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:gap-10 lg:border-b lg:border-line lg:py-0">
      <div className="lg:flex lg:min-h-[560px] lg:flex-col lg:justify-between lg:py-11">
        <h1 className="display d1">The show ends. The door opens.</h1>
        <div>
          <p className="mt-[18px] max-w-[33ch] text-lead text-muted lg:mb-7">
            Pictures, stories and a word in person from the people whose work you love. You see the price first, every
            time.
          </p>
          <div className="mt-5 flex flex-wrap items-center gap-x-3 gap-y-1">
            <Button variant="primary" size="lg" href={PATHS.signup}>
              Create your account
            </Button>
            <Button variant="quiet" href="#tonight">
              See who is here
            </Button>
          </div>
        </div>
      </div>
      {guest && <Guest creator={guest} />}
    </section>
  );
}
