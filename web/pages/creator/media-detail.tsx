/** One upload in the creator's library (row C7) with its preview, uses, buyers and revenue. */

import type { MediaDetail } from '@stagedoor/contract/content/media.ts';
import { getMedia } from '@stagedoor/contract/content/media.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { DELETED_MEDIA_DAYS } from '@stagedoor/contract/shared/limits.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useNavigate,
  useParams,
} from 'react-router';
import { getMediaName } from '../../modules/content/media/library/labels.ts';
import {
  MediaDetailsList,
  MediaIncome,
  MediaUses,
  ProcessingNotice,
} from '../../modules/content/media/library/media-details.tsx';
import { LIBRARY_PATH, mediaQuery } from '../../modules/content/media/library/queries.ts';
import { useDeletedToast, useDeleteMedia, useLiveLibrary } from '../../modules/content/media/library/use-library.ts';
import { MediaPlayer } from '../../modules/content/media/player/media-player.tsx';
import { MediaViewer, useOpenViewer } from '../../modules/content/media/player/media-viewer.tsx';
import { showToast } from '../../platform/feedback.ts';
import { createPageMeta } from '../../platform/meta.ts';
import { api } from '../../platform/mutation.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { toPictureProps } from '../../platform/pictures.ts';
import { useApi } from '../../platform/query.ts';
import { useViewer } from '../../platform/session.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Picture } from '../../ui/picture.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'wide', nav: LIBRARY_PATH };
const SIZES = '(min-width: 60rem) 56vw, 100vw';

const load: PageLoad<{ name: string; now: string }> = async ({ client, params }) => {
  const media = await client.ensureQueryData(mediaQuery(params.id ?? ''));
  return { name: getMediaName(media), now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);
export const meta = (args: MetaArgs<typeof loader>) =>
  createPageMeta(args, { title: args.loaderData?.name ?? texts.missingFileTitle });

function MediaPreview({ media }: { media: MediaDetail }) {
  const viewer = useViewer();
  const open = useOpenViewer();
  const { id, kind, picture, stream, durationSeconds } = media;
  if (!picture) return <Picture alt="" ratio="16 / 9" empty={getMediaName(media)} />;
  const name = getMediaName(media);
  const renew = async () => (await api(getMedia, { params: { id } }, { showErrorMessage: false })).stream;
  if (kind !== 'picture')
    return (
      <MediaPlayer
        media={{ id, kind, picture, stream, durationSeconds }}
        title={name}
        artist={viewer?.name || viewer?.username || ''}
        sizes={SIZES}
        isPriority
        isPositionSaved
        renew={renew}
      />
    );
  return (
    <>
      <button
        type="button"
        className="block w-full cursor-zoom-in focus-visible:-outline-offset-4"
        aria-label={formatText(texts.viewFullScreen, { name })}
        onClick={() => open(id)}
      >
        <Picture
          {...toPictureProps(picture, SIZES, { priority: true })}
          alt={picture.alt || name}
          className="mx-auto"
          style={{ maxWidth: `calc(80svh * ${picture.width / picture.height})` }}
        />
      </button>
      <MediaViewer items={[{ id, kind, picture, stream }]} name={name} />
    </>
  );
}

function Removal({ media }: { media: MediaDetail }) {
  const [isConfirming, setIsConfirming] = useState(false);
  const deletion = useDeleteMedia();
  const showDeleted = useDeletedToast();
  const navigate = useNavigate();
  const client = useQueryClient();
  const erase = async () => {
    const { deletedIds } = await deletion.run([media.id]);
    setIsConfirming(false);
    if (deletedIds.length === 0) {
      void showToast(texts.deleteFileError, 'error');
      void client.invalidateQueries({ queryKey: mediaQuery(media.id).queryKey });
      return;
    }
    showDeleted([media], texts.fileDeleted);
    void navigate(LIBRARY_PATH);
  };
  return (
    <>
      <Button variant="danger" icon="trash" onClick={() => setIsConfirming(true)}>
        {texts.deleteButton}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setIsConfirming}
        title={texts.deleteFileQuestion}
        lead={formatText(texts.deleteFileConsequence, { days: DELETED_MEDIA_DAYS })}
        confirmText="Delete"
        busyText={texts.deleting}
        danger
        busy={deletion.isBusy}
        onConfirm={() => void erase()}
      />
    </>
  );
}

export default function MediaDetailPage() {
  const { id = '' } = useParams();
  const { now } = useLoaderData<typeof loader>();
  const media = useApi(getMedia, { params: { id } });
  useLiveLibrary();
  const file = media.stream?.file ?? media.picture?.url;
  return (
    <>
      <p className="pt-7 text-small">
        <UiLink href={LIBRARY_PATH} className="link relative after:absolute after:-inset-3">
          {texts.media}
        </UiLink>
      </p>
      <h1 className="display d3 pt-2 pb-5 wrap-anywhere">{getMediaName(media)}</h1>
      <div className="grid grid-cols-1 gap-7 lg:grid-cols-[minmax(0,1fr)_360px] lg:gap-10">
        <div className="bleed min-w-0 md:mx-0">
          <MediaPreview key={media.id} media={media} />
        </div>
        <div className="grid min-w-0 content-start gap-6">
          <ProcessingNotice media={media} />
          <div className="flex flex-wrap gap-2">
            {media.status === 'ready' && (
              <Button icon="edit" href={`${LIBRARY_PATH}/edit/${media.id}`}>
                {texts.edit}
              </Button>
            )}
            {media.status === 'ready' && file && (
              <Button icon="download" href={file} download={media.fileName}>
                {texts.download}
              </Button>
            )}
            {!media.isUsed && <Removal media={media} />}
          </div>
          <MediaDetailsList media={media} />
        </div>
      </div>
      {media.status === 'ready' && (
        <div className="grid gap-8 pt-9">
          <MediaIncome media={media} />
          <MediaUses media={media} now={now} />
        </div>
      )}
    </>
  );
}
