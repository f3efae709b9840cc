/** What a visitor reads after the creators: how prices work here, in three facts, and the way in for who has work to hang. */
import { CREDIT_PACKAGES, CREDIT_PRICE_CENTS, CREDIT_VALUE_CENTS } from '@stagedoor/contract/atoms/limits.ts';
import { formatCents } from '@stagedoor/contract/atoms/money.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';
import { Button } from '../../ui/button.tsx';
import { UiLink } from '../../ui/link.tsx';

/** Made where it is shown: only the server shows it, and nothing of it comes with the app. */
function facts() {
  const [credits] = CREDIT_PACKAGES;
  const paid = credits * CREDIT_PRICE_CENTS;
  const got = credits * CREDIT_VALUE_CENTS;
  return [
    {
      name: 'Calls run by the second',
      words: 'You see the price of a minute before you ring. The timer and what you have spent stay on the screen.',
    },
    {
      name: 'Credits say what they cost',
      words: `${formatCents(paid)} puts ${formatCents(got)} on your balance. The ${formatCents(paid - got)} fee is written above the button.`,
    },
    {
      name: 'Nothing renews by itself',
      words: 'No subscription. You open one thing, you pay one price, and it stays yours.',
    },
  ] as const;
}

export function VisitorPrices() {
  return (
    <section className="pt-14 lg:pt-24" aria-labelledby="prices">
      <h2 id="prices" className="display d2">
        The price is on the wall.
      </h2>
      <ul className="grid gap-6 pt-6 lg:grid-cols-3 lg:pt-9">
        {facts().map(({ name, words }) => (
          <li key={name} className="border-t-2 border-text pt-3">
            <h3 className="font-semibold">{name}</h3>
            <p className="mt-2 max-w-[36ch] text-muted tabular-nums">{words}</p>
          </li>
        ))}
      </ul>
      <p className="pt-3">
        <UiLink href={PUBLIC_PATHS.pricing} className="link inline-flex min-h-11 items-center">
          All prices and limits
        </UiLink>
      </p>
      <div className="mt-11 flex flex-wrap items-center justify-between gap-5 border-t border-line py-9 lg:mt-16">
        <h2 className="display d3 max-w-[22ch]">Have something to hang?</h2>
        <Button size="lg" href={PUBLIC_PATHS.becomeCreator}>
          Open your door
        </Button>
      </div>
    </section>
  );
}
