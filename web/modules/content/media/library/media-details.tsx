import type { MediaDetail } from '@stagedoor/contract/content/media.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { formatBytes } from '../../../../platform/bytes.ts';
import { formatCount, formatDay, formatDuration, formatExactTime } from '../../../../platform/dates.ts';
import { DefinitionList } from '../../../../ui/definition-list.tsx';
import { SectionHead } from '../../../../ui/label.tsx';
import { Row, Rows } from '../../../../ui/rows.tsx';
import { StatCard, Stats } from '../../../../ui/stat.tsx';
import { Banner, Progress } from '../../../../ui/states.tsx';
import * as texts from '../texts.ts';
import { formatStage, MEDIA_KIND_LABELS } from './labels.ts';

export function ProcessingNotice({ media }: { media: MediaDetail }) {
  if (media.status === 'failed')
    return <Banner kind="error">{media.failure ?? texts.processingFailedUploadAgain}</Banner>;
  if (media.stage === 'done') return null;
  const isKnown = media.stage !== 'queued' && media.progress > 0;
  return <Progress label={formatStage(media)} text="" max={1} {...(isKnown && { value: media.progress })} />;
}

export function MediaDetailsList({ media }: { media: MediaDetail }) {
  const { kind, width, height, durationSeconds, byteSize, createdAt, price, tags, teaser, captions, fileName } = media;
  const items = [
    { name: texts.type, value: MEDIA_KIND_LABELS[kind] },
    ...(durationSeconds === null ? [] : [{ name: 'Length', value: formatDuration(durationSeconds) }]),
    ...(width && height ? [{ name: 'Size', value: `${width} × ${height}` }] : []),
    { name: texts.file, value: `${fileName}, ${formatBytes(byteSize)}` },
    { name: texts.uploaded, value: formatExactTime(createdAt) },
    { name: texts.defaultPrice, value: price === 0 ? 'Free' : formatUsd(price) },
    ...(teaser
      ? [{ name: texts.freePreview, value: `${formatDuration(teaser.start)} to ${formatDuration(teaser.end)}` }]
      : []),
    ...(captions.length > 0 ? [{ name: 'Captions', value: captions.map(({ label }) => label).join(', ') }] : []),
    ...(tags.length > 0 ? [{ name: 'Tags', value: tags.map((tag) => `#${tag}`).join(' ') }] : []),
  ];
  return <DefinitionList items={items} />;
}

export function MediaIncome({ media }: { media: MediaDetail }) {
  return (
    <Stats label={texts.earned}>
      <StatCard name="Earned" value={formatUsd(media.earned)} note={texts.afterFees} />
      <StatCard name="Unlocks" value={media.buyerCount.toLocaleString('en-US')} note={texts.fansWhoUnlockedIt} />
    </Stats>
  );
}

/** `now` is an ISO timestamp. */
export function MediaUses({ media, now }: { media: MediaDetail; now: string }) {
  return (
    <section aria-labelledby="uses">
      <SectionHead id="uses" title={texts.usedIn} end={media.uses.length > 1 ? String(media.uses.length) : undefined} />
      {media.uses.length === 0 ? (
        <p className="text-muted">{texts.notUsedYet}</p>
      ) : (
        <Rows label={texts.usedIn} closed>
          {media.uses.map((use) => (
            <Row
              key={`${use.href} ${use.createdAt}`}
              href={use.href}
              title={use.title || (use.kind === 'post' ? texts.untitledPost : texts.aMessage)}
              sub={[
                use.kind === 'post' ? texts.post : texts.chat,
                formatDay(use.createdAt, now),
                use.isRemoved ? texts.removed : undefined,
                use.price === 0 ? texts.free : `${formatUsd(use.price)} · ${formatCount(use.buyerCount, 'unlock')}`,
              ]
                .filter(Boolean)
                .join(' · ')}
              end={use.price === 0 ? undefined : formatUsd(use.earned)}
            />
          ))}
        </Rows>
      )}
    </section>
  );
}
