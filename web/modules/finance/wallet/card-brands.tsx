import * as texts from './texts.ts';

const BRANDS = ['Visa', 'Mastercard', 'Discover', 'Amex', 'JCB'] as const;

export function CardBrands() {
  return (
    <ul className="flex flex-wrap gap-1.5" aria-label={texts.cardsAccepted}>
      {BRANDS.map((name) => (
        <li key={name} className="rounded-1 border border-line px-[7px] text-tab leading-5 font-semibold">
          {name}
        </li>
      ))}
    </ul>
  );
}
