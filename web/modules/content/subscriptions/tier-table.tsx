import { type ReactNode, useId } from 'react';
import { Table } from '../../../ui/table.tsx';
import { useCreatorTiers } from './creator-tiers.ts';
import * as texts from './texts.ts';

const format = (count: number) => count.toLocaleString('en-US');

/** What each tier opens now, with the free posts in the first row. */
export function TierTable({ creatorId }: { creatorId: string }) {
  const id = useId();
  const { data } = useCreatorTiers(creatorId);
  if (!data) return null;
  const { free, total, subscription } = data;
  const tiers = data.tiers.filter(({ isOpen, id: tierId }) => isOpen || tierId === subscription?.tierId);
  if (tiers.length === 0 || total.postCount === 0) return null;
  const toMissing = (postCount: number) => Math.max(total.postCount - postCount, 0);
  const toCells = (name: ReactNode, { postCount, mediaCount }: typeof total) => [
    name,
    format(postCount),
    format(mediaCount),
    format(toMissing(postCount)),
  ];
  const rows = [
    ...(subscription ? [] : [{ key: 'free', cells: toCells(texts.withoutSubscription, free) }]),
    ...tiers.map((tier) => ({
      key: tier.id,
      cells: toCells(
        <>
          <bdi className="break-normal wrap-break-word">{tier.name}</bdi>
          {tier.id === subscription?.tierId && <span className="yours ml-2">{texts.yours}</span>}
        </>,
        tier,
      ),
    })),
  ];
  const hasMissing = tiers.some(({ postCount }) => toMissing(postCount) > 0);
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="display d4 pb-3">
        {texts.whatYouCanSee}
      </h2>
      <Table
        caption={texts.tableCaption}
        columns={[{ head: texts.tier }, { head: texts.posts }, { head: texts.files }, { head: texts.notIncluded }]}
        rows={rows}
        className="[&_td:last-child]:font-normal [&_thead_th]:wrap-anywhere"
      />
      {hasMissing && <p className="pt-3 text-small text-muted">{texts.soldSeparately}</p>}
    </section>
  );
}
