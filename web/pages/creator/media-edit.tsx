/** Edits an upload (row C7): title, tags, price, and for video and audio also poster, teaser and captions. */
import { getMedia, type MediaDetail } from '@stagedoor/contract/content/media.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type ReactNode, useState } from 'react';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useParams } from 'react-router';
import { feesQuery, NetSummary } from '../../modules/content/drafts/net-amount.tsx';
import { CaptionsEditor } from '../../modules/content/media/library/captions-editor.tsx';
import { getMediaName } from '../../modules/content/media/library/labels.ts';
import { ProcessingNotice } from '../../modules/content/media/library/media-details.tsx';
import { MediaForm, useUpdateMedia } from '../../modules/content/media/library/media-form.tsx';
import { PosterUpload } from '../../modules/content/media/library/poster-upload.tsx';
import { LIBRARY_PATH, mediaQuery } from '../../modules/content/media/library/queries.ts';
import { useLiveLibrary } from '../../modules/content/media/library/use-library.ts';
import { FramePicker } from '../../modules/content/media/player/frame-picker.tsx';
import { TeaserPicker } from '../../modules/content/media/player/teaser-picker.tsx';
import { formatDuration } from '../../platform/dates.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { toPictureProps } from '../../platform/pictures.ts';
import { useApi } from '../../platform/query.ts';
import { Button } from '../../ui/button.tsx';
import { formatNodes } from '../../ui/format-nodes.ts';
import { SectionHead } from '../../ui/label.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Picture } from '../../ui/picture.tsx';
import { EmptyState } from '../../ui/states.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'column', nav: LIBRARY_PATH };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.editFile });

const load: PageLoad<null> = async ({ client, params }) => {
  await Promise.all([client.ensureQueryData(feesQuery()), client.ensureQueryData(mediaQuery(params.id ?? ''))]);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function EditSection({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-9 border-t border-line pt-6">
      <SectionHead id={id} title={title} />
      {children}
    </section>
  );
}

function Poster({ media }: { media: MediaDetail }) {
  const [isPicking, setIsPicking] = useState(false);
  const { save, isBusy } = useUpdateMedia(media.id, texts.thumbnailUpdated);
  const { kind, picture, stream, durationSeconds } = media;
  const upload = <PosterUpload id={media.id} />;
  if (isPicking && picture && stream && durationSeconds)
    return (
      <FramePicker {...{ picture, stream, durationSeconds, isBusy }} onPick={(posterSecond) => save({ posterSecond })}>
        {upload}
      </FramePicker>
    );
  return (
    <div className="flex flex-wrap items-end gap-4">
      {picture?.url && <Thumb media={media} />}
      <div className="flex flex-wrap gap-2">
        {kind === 'video' && stream && durationSeconds && (
          <Button onClick={() => setIsPicking(true)}>{texts.chooseAFrame}</Button>
        )}
        {upload}
      </div>
    </div>
  );
}

function TeaserEditor({ media }: { media: MediaDetail }) {
  const [isPicking, setIsPicking] = useState(false);
  const { save, isBusy, failure } = useUpdateMedia(media.id);
  const { kind, picture, stream, durationSeconds, teaser } = media;
  if (kind === 'picture' || !stream || !picture || !durationSeconds) return null;
  const teaserRange = teaser
    ? formatText(texts.freePreviewRange, { start: formatDuration(teaser.start), end: formatDuration(teaser.end) })
    : texts.noFreePreviewYet;
  return (
    <>
      <p className="-mt-2 mb-4 text-muted">
        {formatNodes(texts.freePreviewHint, { range: !isPicking && teaserRange })}
      </p>
      {isPicking ? (
        <TeaserPicker
          {...{ kind, picture, stream, durationSeconds, isBusy }}
          value={teaser}
          onSave={(range) => save({ teaser: range })}
        />
      ) : (
        <Button onClick={() => setIsPicking(true)}>{teaser ? texts.change : texts.choose}</Button>
      )}
      {failure && (
        <p role="alert" className="pt-3 text-small text-danger">
          {failure}
        </p>
      )}
    </>
  );
}

function Thumb({ media }: { media: MediaDetail }) {
  if (!media.picture?.url) return null;
  return (
    <div className="w-40">
      <Picture {...toPictureProps(media.picture, '160px')} alt="" />
    </div>
  );
}

export default function EditMedia() {
  const { id = '' } = useParams();
  const media = useApi(getMedia, { params: { id } });
  useLiveLibrary();
  const mediaPath = `${LIBRARY_PATH}/${media.id}`;
  return (
    <>
      <p className="pt-7 text-small">
        <UiLink href={mediaPath} className="link relative one-line inline-block max-w-full align-bottom">
          {getMediaName(media)}
        </UiLink>
      </p>
      <h1 className="display d2 pt-2 pb-6">{texts.edit}</h1>
      <ProcessingNotice media={media} />
      {media.status !== 'ready' ? (
        <EmptyState
          line={media.status === 'failed' ? texts.nothingToEdit : texts.stillProcessing}
          action={<Button href={mediaPath}>{texts.viewFile}</Button>}
        />
      ) : (
        <>
          {media.kind === 'picture' && (
            <div className="mb-6">
              <Thumb media={media} />
            </div>
          )}
          <MediaForm key={media.id} media={media} renderNet={(price) => <NetSummary price={price} />} />
          {media.kind !== 'picture' && (
            <>
              <EditSection id="poster" title={media.kind === 'video' ? texts.thumbnail : texts.cover}>
                <Poster media={media} />
              </EditSection>
              <EditSection id="taste" title={texts.freePreview}>
                <TeaserEditor media={media} />
              </EditSection>
              <div className="mt-9 border-t border-line pt-6">
                <CaptionsEditor media={media} />
              </div>
            </>
          )}
        </>
      )}
    </>
  );
}
