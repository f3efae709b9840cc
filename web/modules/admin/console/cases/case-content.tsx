/** The content that a case is about, hidden until the operator requests it. The request is recorded. */
import { type CaseContent, type CaseView, getCaseContent } from '@stagedoor/contract/admin/cases.ts';
import type { PostMedia } from '@stagedoor/contract/content/pictures.ts';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { formatBytes } from '../../../../platform/bytes.ts';
import { formatCount, formatExactTime } from '../../../../platform/dates.ts';
import { useCanCallRoute } from '../../../../platform/operator.ts';
import { Button } from '../../../../ui/button.tsx';
import { DefinitionList } from '../../../../ui/definition-list.tsx';
import { formatNodes } from '../../../../ui/format-nodes.ts';
import { UiLink } from '../../../../ui/link.tsx';
import { ErrorState, SkeletonRows } from '../../../../ui/states.tsx';
import { caseContentQuery } from './queries.ts';
import * as texts from './texts.ts';

function MediaItem({ item, index }: { item: PostMedia; index: number }) {
  if (item.isLocked) return null;
  const { stream, picture } = item;
  const name = `File ${index + 1}`;
  if (item.kind !== 'picture' && stream?.file)
    return (
      <video
        className="max-h-96 w-full bg-surface-2"
        controls
        preload="metadata"
        poster={picture.url}
        aria-label={name}
      >
        <source src={stream.file} {...(stream.fileType && { type: stream.fileType })} />
        <track kind="captions" />
      </video>
    );
  return (
    <img
      className="max-h-96 w-auto"
      src={picture.url}
      alt={picture.alt || name}
      width={picture.width}
      height={picture.height}
    />
  );
}

function ReportedTexts({ texts: reported }: Pick<CaseContent, 'texts'>) {
  if (reported.length === 0) return null;
  return (
    <ol className="grid gap-3" aria-label={texts.text}>
      {reported.map(({ id, at, author, text, isReported }) => (
        <li key={id} className={isReported ? 'border-l-2 border-ink pl-3' : 'pl-3 text-muted'}>
          <p className="flex flex-wrap justify-between gap-x-4 text-small">
            <span className="font-semibold">{author === '' ? texts.asReported : `@${author}`}</span>
            <span className="num">{formatExactTime(at)}</span>
          </p>
          <p dir="auto" className="whitespace-pre-line wrap-anywhere">
            {text}
          </p>
        </li>
      ))}
    </ol>
  );
}

function ReportedFiles({ files }: Pick<CaseContent, 'files'>) {
  if (files.length === 0) return null;
  return (
    <ul className="grid gap-2" aria-label={texts.files}>
      {files.map(({ id, name, type, byteSize, isVoice, url }) => (
        <li key={id}>
          {isVoice ? (
            <audio className="w-full max-w-120" controls preload="metadata" aria-label={texts.voiceNote}>
              <source src={url} type={type} />
              <track kind="captions" />
            </audio>
          ) : (
            <a className="inline-flex min-h-11 items-center gap-2 underline underline-offset-4" href={url} download>
              <bdi className="wrap-anywhere">{name}</bdi>
              <span className="num text-muted">{formatBytes(byteSize)}</span>
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

function ProfileVersion({ at, isCurrent, details, links, avatarUrl, coverUrl }: CaseContent['profiles'][number]) {
  const pictures = [
    { label: texts.picture, src: avatarUrl, className: 'size-32 object-cover' },
    { label: texts.cover, src: coverUrl, className: 'h-32 max-w-full object-cover' },
  ];
  return (
    <section className="grid gap-3 border-t border-line pt-4 first:border-t-0 first:pt-0">
      <h3 className="font-semibold">
        {isCurrent
          ? texts.asItIsNow
          : formatNodes(texts.asItWasOn, { date: <span className="num">{formatExactTime(at)}</span> })}
      </h3>
      {(avatarUrl !== null || coverUrl !== null) && (
        <p className="flex flex-wrap items-start gap-3">
          {pictures.map(
            ({ label, src, className }) =>
              src !== null && <img key={label} className={className} src={src} alt={label} />,
          )}
        </p>
      )}
      <DefinitionList
        strong
        items={[
          ...details.map(({ name, value }) => ({
            name,
            value: (
              <bdi dir="auto" className="whitespace-pre-line wrap-anywhere">
                {value}
              </bdi>
            ),
          })),
          ...links.map(({ label, url }) => ({ name: label, value: <bdi className="wrap-anywhere">{url}</bdi> })),
        ]}
      />
    </section>
  );
}

export function AdminCaseContent({ query }: { query: UseQueryResult<CaseContent> }) {
  if (!query.data)
    return query.isError ? (
      <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} />
    ) : (
      <SkeletonRows count={2} />
    );
  const { media, files, profiles } = query.data;
  return (
    <div className="grid gap-5">
      {media.map((item, index) => (
        <MediaItem key={item.id} item={item} index={index} />
      ))}
      <ReportedFiles files={files} />
      <ReportedTexts texts={query.data.texts} />
      {profiles.map((profile) => (
        <ProfileVersion key={profile.id ?? 'now'} {...profile} />
      ))}
    </div>
  );
}

function LoadedContent({ id }: { id: string }) {
  return <AdminCaseContent query={useQuery(caseContentQuery(id))} />;
}

const TYPE_LABELS: Readonly<Record<string, string>> = {
  pictureSet: texts.photos,
  picture: texts.photo,
  videoCallInfo: texts.call,
};
function formatValue(value: string): string {
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return formatExactTime(value);
  const [kind = '', ...rest] = value.split(', ');
  return [TYPE_LABELS[kind] ?? kind, ...rest].join(', ');
}

const isText = ({ name }: CaseView['snapshot'][number]) => name === 'Caption' || name === 'Text';

export function CaseContentPanel({
  view,
  isContentShown,
  onShowContent,
}: {
  view: CaseView;
  isContentShown: boolean;
  onShowContent: () => void;
}) {
  const { id, subject, hasContent, isDeleted, snapshot, copies, copyOwners, where, subjectHref, adminHref } = view;
  const canView = useCanCallRoute(getCaseContent);
  const details = isContentShown && subject === 'profile' ? [] : snapshot.filter((detail) => !isText(detail));
  return (
    <div className="grid gap-4">
      {isDeleted && <p className="text-small font-semibold">{texts.noLongerVisible}</p>}
      {hasContent && !isContentShown && canView && (
        <div className="case-veil">
          <Button icon="eye" onClick={onShowContent}>
            {formatNodes(texts.showContent, { content: <kbd>V</kbd> })}
          </Button>
          <p className="text-small text-muted">{texts.viewRecordedHint}</p>
        </div>
      )}
      {isContentShown && <LoadedContent id={id} />}
      {!isContentShown &&
        snapshot.filter(isText).map(({ name, value }) => (
          <p key={name} dir="auto" className="whitespace-pre-line wrap-anywhere">
            {value}
          </p>
        ))}
      <DefinitionList
        strong
        items={[
          ...details.map(({ name, value }) => ({ name, value: <bdi>{formatValue(value)}</bdi> })),
          ...(where === '' ? [] : [{ name: 'Where', value: <bdi className="wrap-anywhere">{where}</bdi> }]),
          ...(hasContent && (subject === 'post' || subject === 'message')
            ? [
                {
                  name: texts.identicalCopies,
                  value:
                    copies === 0
                      ? 'None'
                      : `${formatCount(copies, 'file')}, of ${copyOwners.map((username) => `@${username}`).join(', ')}`,
                },
              ]
            : []),
          ...(adminHref === null
            ? []
            : [
                {
                  name: texts.allDetails,
                  value: (
                    <UiLink href={adminHref} className="underline underline-offset-4">
                      {texts.openInConsole}
                    </UiLink>
                  ),
                },
              ]),
          ...(subjectHref === null || isDeleted
            ? []
            : [
                {
                  name: texts.publicPage,
                  value: (
                    <UiLink href={subjectHref} className="underline underline-offset-4">
                      {texts.open}
                    </UiLink>
                  ),
                },
              ]),
        ]}
      />
    </div>
  );
}
