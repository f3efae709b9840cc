import './house.css';
import { formatRate } from '@stagedoor/contract/atoms/money.ts';
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { type CreatorCard, listCreators } from '@stagedoor/contract/profiles.ts';
import type { ReactNode } from 'react';
import { pictureProps } from '../../kernel/pictures.ts';
import { apiQuery } from '../../kernel/query.ts';
import { cx } from '../../ui/class-names.ts';
import { Label } from '../../ui/label.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Picture, type PictureProps } from '../../ui/picture.tsx';

export const peopleQuery = () => apiQuery(listCreators, { query: { limit: 12 } });

export function hungOf({ data }: ResponseOf<typeof listCreators>): CreatorCard[] {
  return data.filter(({ cover }) => cover !== null);
}

export function coverOf({ cover, coverFocus: { x, y } }: CreatorCard, sizes: string, more: Partial<PictureProps> = {}) {
  return cover ? pictureProps(cover, sizes, { focus: `${x}% ${y}%`, ...more }) : undefined;
}

export function rateOf({ callRate, craft }: CreatorCard): string {
  return callRate === null ? craft : formatRate(callRate);
}

export function Sold({
  creator,
  href,
  what,
  price,
  words,
  isWide,
}: {
  creator: CreatorCard;
  href: string;
  what: string;
  price: string;
  words: string;
  isWide: boolean;
}) {
  const picture = coverOf(creator, isWide ? '(min-width: 60rem) 58vw, 100vw' : '(min-width: 60rem) 42vw, 100vw', {
    ratio: '4 / 3',
  });
  return (
    <li className="min-w-0">
      <UiLink href={href}>
        {picture && <Picture {...picture} />}
        <Label who={what} what={words} price={price} />
      </UiLink>
    </li>
  );
}

export type Step = { title: string; words: string };

export function Steps({
  id,
  title,
  lead,
  steps,
}: {
  id: string;
  title: string;
  lead?: string;
  steps: readonly Step[];
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
            <span>{step.words}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

export type FareTable = {
  caption: string;
  head: readonly string[];
  rows: readonly (readonly ReactNode[])[];
  isWords?: boolean | undefined;
};

export function Fares({ caption, head, rows, isWords }: FareTable) {
  const [first, ...others] = head;
  return (
    <div className="fares-box">
      <table className={cx('fares', isWords && 'fares--words')}>
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

export type LeafSection = { id: string; title: string; say?: ReactNode; children: ReactNode };

export function Leaf({
  title,
  lead,
  sections,
  side,
}: {
  title: string;
  lead: string;
  sections: readonly LeafSection[];
  side?: ReactNode;
}) {
  return (
    <>
      <div className="leaf-head">
        <h1 className="display d1">{title}</h1>
        <p className="leaf-head__lead">{lead}</p>
      </div>
      <div className="leaf">
        <div className="leaf__side">
          <nav aria-label="On this page">
            {sections.map(({ id, title }) => (
              <a key={id} href={`#${id}`}>
                {title}
              </a>
            ))}
          </nav>
          {side}
        </div>
        <div className="min-w-0">
          {sections.map(({ id, title, say, children }) => (
            <section key={id} id={id} aria-labelledby={`${id}-title`}>
              <h2 className="display d3" id={`${id}-title`}>
                {title}
              </h2>
              {say && <p className="leaf__say">{say}</p>}
              {children}
            </section>
          ))}
        </div>
      </div>
    </>
  );
}
