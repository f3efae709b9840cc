import './marketing.css';
import { type CreatorCard, listCreators } from '@stagedoor/contract/content/profiles.ts';
import { formatRate } from '@stagedoor/contract/shared/money.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import type { ReactNode } from 'react';
import { toPictureProps } from '../../platform/pictures.ts';
import { apiQuery } from '../../platform/query.ts';
import { cx } from '../../ui/class-names.ts';
import { Label } from '../../ui/label.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Picture, type PictureProps } from '../../ui/picture.tsx';
import * as texts from './texts.ts';

export const creatorsQuery = () => apiQuery(listCreators, { query: { limit: 12 } });

export function filterWithCover({ data }: ResponseOf<typeof listCreators>): CreatorCard[] {
  return data.filter(({ cover }) => cover !== null);
}

export function toCoverPicture(
  { cover, coverFocus: { x, y } }: CreatorCard,
  sizes: string,
  more: Partial<PictureProps> = {},
) {
  return cover ? toPictureProps(cover, sizes, { focus: `${x}% ${y}%`, ...more }) : undefined;
}

export function formatRateOrCraft({ callRate, craft }: CreatorCard): string {
  return callRate === null ? craft : formatRate(callRate);
}

export function OfferTile({
  creator,
  href,
  title,
  price,
  detail,
  isWide,
}: {
  creator: CreatorCard;
  href: string;
  title: string;
  price: string;
  detail: string;
  isWide: boolean;
}) {
  const picture = toCoverPicture(
    creator,
    isWide ? '(min-width: 60rem) 58vw, 100vw' : '(min-width: 60rem) 42vw, 100vw',
    {
      ratio: '4 / 3',
    },
  );
  return (
    <li className="min-w-0">
      <UiLink href={href}>
        {picture && <Picture {...picture} />}
        <Label title={title} detail={detail} price={price} />
      </UiLink>
    </li>
  );
}

export type ProcessStep = { title: string; detail: string };

export function ProcessSteps({
  id,
  title,
  lead,
  steps,
}: {
  id: string;
  title: string;
  lead?: string;
  steps: readonly ProcessStep[];
}) {
  return (
    <section className="band steps" aria-labelledby={id}>
      <div>
        <h2 className="display d2" id={id}>
          {title}
        </h2>
        {lead && <p className="mt-[14px] max-w-[34ch] text-muted">{lead}</p>}
      </div>
      <ol className="steps__list">
        {steps.map((step) => (
          <li key={step.title}>
            <b>{step.title}</b>
            <span>{step.detail}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

export type PriceTableProps = {
  caption: string;
  head: readonly string[];
  rows: readonly (readonly ReactNode[])[];
  isText?: boolean | undefined;
};

export function PriceTable({ caption, head, rows, isText }: PriceTableProps) {
  const [first, ...others] = head;
  return (
    <div className="fares-box">
      <table className={cx('fares', isText && 'fares--words')}>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{first || <span className="sr-only">{caption}</span>}</th>
            {others.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells], row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a fixed table never change their order
            <tr key={row}>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => (
                <td key={others[index]} data-head={others[index]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export type ArticleSection = { id: string; title: string; intro?: ReactNode; children: ReactNode };

export function ArticlePage({
  title,
  lead,
  sections,
  aside,
}: {
  title: string;
  lead: string;
  sections: readonly ArticleSection[];
  aside?: ReactNode;
}) {
  return (
    <>
      <div className="leaf-head">
        <h1 className="display d1">{title}</h1>
        <p className="leaf-head__lead">{lead}</p>
      </div>
      <div className="leaf">
        <div className="leaf__side">
          <nav aria-label={texts.onThisPage}>
            {sections.map(({ id, title }) => (
              <a key={id} href={`#${id}`}>
                {title}
              </a>
            ))}
          </nav>
          {aside}
        </div>
        <div className="min-w-0">
          {sections.map(({ id, title, intro, children }) => (
            <section key={id} id={id} aria-labelledby={`${id}-title`}>
              <h2 className="display d3" id={`${id}-title`}>
                {title}
              </h2>
              {intro && <p className="leaf__say">{intro}</p>}
              {children}
            </section>
          ))}
        </div>
      </div>
    </>
  );
}
