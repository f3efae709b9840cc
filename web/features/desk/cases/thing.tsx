/** The content that a case is about, hidden until the operator requests it. The request is recorded. */
import { type CaseThing, type CaseView, showThing } from '@stagedoor/contract/cases-desk.ts';
import type { PostMedia } from '@stagedoor/contract/pictures.ts';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { formatBytes } from '../../../kernel/bytes.ts';
import { formatExact, plural } from '../../../kernel/dates.ts';
import { useMay } from '../../../kernel/operator.ts';
import { Button } from '../../../ui/button.tsx';
import { FactList } from '../../../ui/facts.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { thingQuery } from './queries.ts';

function Medium({ item, index }: { item: PostMedia; index: number }) {
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

function Texts({ texts }: Pick<CaseThing, 'texts'>) {
  if (texts.length === 0) return null;
  return (
    <ol className="grid gap-3" aria-label="Text">
      {texts.map(({ id, at, by, text, isNamed }) => (
        <li key={id} className={isNamed ? 'border-l-2 border-ink pl-3' : 'pl-3 text-muted'}>
          <p className="flex flex-wrap justify-between gap-x-4 text-small">
            <span className="font-semibold">{by === '' ? 'As reported' : `@${by}`}</span>
            <span className="num">{formatExact(at)}</span>
          </p>
          <p dir="auto" className="whitespace-pre-line wrap-anywhere">
            {text}
          </p>
        </li>
      ))}
    </ol>
  );
}

function Files({ files }: Pick<CaseThing, 'files'>) {
  if (files.length === 0) return null;
  return (
    <ul className="grid gap-2" aria-label="Files">
      {files.map(({ id, name, type, byteSize, isVoice, url }) => (
        <li key={id}>
          {isVoice ? (
            <audio className="w-full max-w-120" controls preload="metadata" aria-label="Voice note">
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

function ProfileShown({ at, isNow, facts, links, avatarUrl, coverUrl }: CaseThing['profiles'][number]) {
  const pictures = [
    { what: 'Picture', src: avatarUrl, look: 'size-32 object-cover' },
    { what: 'Cover', src: coverUrl, look: 'h-32 max-w-full object-cover' },
  ];
  return (
    <section className="grid gap-3 border-t border-line pt-4 first:border-t-0 first:pt-0">
      <h3 className="font-semibold">
        {isNow ? (
          'As it is now'
        ) : (
          <>
            As it was on <span className="num">{formatExact(at)}</span>
          </>
        )}
      </h3>
      {(avatarUrl !== null || coverUrl !== null) && (
        <p className="flex flex-wrap items-start gap-3">
          {pictures.map(
            ({ what, src, look }) => src !== null && <img key={what} className={look} src={src} alt={what} />,
          )}
        </p>
      )}
      <FactList
        strong
        facts={[
          ...facts.map(({ name, value }) => ({
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

export function ShownThing({ query }: { query: UseQueryResult<CaseThing> }) {
  if (!query.data)
    return query.isError ? (
      <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} />
    ) : (
      <SkeletonRows count={2} />
    );
  const { media, files, texts, profiles } = query.data;
  return (
    <div className="grid gap-5">
      {media.map((item, index) => (
        <Medium key={item.id} item={item} index={index} />
      ))}
      <Files files={files} />
      <Texts texts={texts} />
      {profiles.map((profile) => (
        <ProfileShown key={profile.id ?? 'now'} {...profile} />
      ))}
    </div>
  );
}

function Shown({ id }: { id: string }) {
  return <ShownThing query={useQuery(thingQuery(id))} />;
}

const KINDS: Readonly<Record<string, string>> = { pictureSet: 'Photos', picture: 'Photo', videoCallInfo: 'Call' };
function worded(value: string): string {
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return formatExact(value);
  const [kind = '', ...rest] = value.split(', ');
  return [KINDS[kind] ?? kind, ...rest].join(', ');
}

const isWords = ({ name }: CaseView['snapshot'][number]) => name === 'Caption' || name === 'Text';

export function Thing({ view, isShown, onShow }: { view: CaseView; isShown: boolean; onShow: () => void }) {
  const { id, subject, hasThing, isGone, snapshot, copies, copiesOf, where, subjectHref, deskHref } = view;
  const may = useMay(showThing);
  const facts = isShown && subject === 'profile' ? [] : snapshot.filter((fact) => !isWords(fact));
  return (
    <div className="grid gap-4">
      {isGone && <p className="text-small font-semibold">No longer visible to others.</p>}
      {hasThing && !isShown && may && (
        <div className="case-veil">
          <Button icon="eye" onClick={onShow}>
            Show <kbd>V</kbd>
          </Button>
          <p className="text-small text-muted">Your view is recorded in the audit log.</p>
        </div>
      )}
      {isShown && <Shown id={id} />}
      {!isShown &&
        snapshot.filter(isWords).map(({ name, value }) => (
          <p key={name} dir="auto" className="whitespace-pre-line wrap-anywhere">
            {value}
          </p>
        ))}
      <FactList
        strong
        facts={[
          ...facts.map(({ name, value }) => ({ name, value: <bdi>{worded(value)}</bdi> })),
          ...(where === '' ? [] : [{ name: 'Where', value: <bdi className="wrap-anywhere">{where}</bdi> }]),
          ...(hasThing && (subject === 'post' || subject === 'message')
            ? [
                {
                  name: 'Identical copies',
                  value:
                    copies === 0
                      ? 'None'
                      : `${plural(copies, 'file')}, of ${copiesOf.map((of) => `@${of}`).join(', ')}`,
                },
              ]
            : []),
          ...(deskHref === null
            ? []
            : [
                {
                  name: 'All details',
                  value: (
                    <UiLink href={deskHref} className="underline underline-offset-4">
                      Open in console
                    </UiLink>
                  ),
                },
              ]),
          ...(subjectHref === null || isGone
            ? []
            : [
                {
                  name: 'Public page',
                  value: (
                    <UiLink href={subjectHref} className="underline underline-offset-4">
                      Open
                    </UiLink>
                  ),
                },
              ]),
        ]}
      />
    </div>
  );
}
