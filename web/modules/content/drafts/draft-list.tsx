import {
  type Draft,
  deleteDraft,
  getDraft,
  listDrafts,
  publishDraft,
  updateDraft,
} from '@stagedoor/contract/content/drafts.ts';
import { mediaProcessed } from '@stagedoor/contract/content/media.ts';
import { toPostDetails } from '@stagedoor/contract/content/post-details.ts';
import { listOwnPosts } from '@stagedoor/contract/content/posts.ts';
import { draftPath, PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isolateText } from '../../../platform/bidi.ts';
import { formatCount } from '../../../platform/dates.ts';
import { showToast } from '../../../platform/feedback.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { toPictureProps } from '../../../platform/pictures.ts';
import { apiInfiniteQuery, apiQuery, routeKey } from '../../../platform/query.ts';
import { useSocketEvent } from '../../../platform/socket-events.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Menu, type MenuAction } from '../../../ui/menu.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { Picture } from '../../../ui/picture.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { formatScheduledTime, formatShortTime, LocalTime } from './local-time.tsx';
import * as texts from './texts.ts';
import type { UploadCounts } from './upload-counts.ts';
import { type PublishWait, usePublishWait } from './use-publish-wait.ts';
import { useUploadCounts } from './use-upload-counts.ts';

const PAGE_SIZE = 12;
const KIND_ICONS = { picture: 'image', video: 'video', audio: 'sound' } as const;
export type DraftTab = 'draft' | 'scheduled';

export const draftsQuery = (state: DraftTab) => apiInfiniteQuery(listDrafts, { query: { state, limit: PAGE_SIZE } });

const toDraftHref = ({ id }: Draft) => draftPath(id);
const getDraftName = ({ title }: Draft) => title || texts.untitled;

function DraftPicture({ draft }: { draft: Draft }) {
  const [first] = draft.media;
  const size = 'w-24 md:w-32';
  const empty = <Icon name={KIND_ICONS[first?.media.kind ?? 'picture']} size={28} />;
  return first?.media.picture ? (
    <Picture {...toPictureProps(first.media.picture, '128px', { alt: '', ratio: '1', empty })} className={size} />
  ) : (
    <Picture alt="" ratio="1" empty={empty} className={size} />
  );
}

export function describeDraft(
  { media, price }: Pick<Draft, 'media' | 'price'>,
  { uploading, stopped }: UploadCounts,
): string {
  const failedCount = media.filter(({ media: { status } }) => status === 'failed').length;
  const processingCount = media.filter(({ media: { status } }) => status === 'processing').length;
  return [
    price > 0 ? formatUsd(price) : texts.free,
    media.length > 0 && formatCount(media.length, 'file'),
    uploading > 0 && formatText(texts.filesUploading, { fileCount: formatCount(uploading, 'file') }),
    stopped > 0 && formatText(texts.filesPartlyUploaded, { fileCount: formatCount(stopped, 'file') }),
    media.length + uploading + stopped === 0 && texts.noFilesYet,
    processingCount > 0 && formatText(texts.processingFiles, { processingCount }),
    failedCount > 0 && formatText(texts.failedFiles, { failedCount }),
  ]
    .filter(Boolean)
    .join(' · ');
}

function useDraftActions(draft: Draft) {
  const client = useQueryClient();
  const invalidate = () => {
    void client.invalidateQueries({ queryKey: routeKey(listDrafts) });
    void client.invalidateQueries({ queryKey: routeKey(listOwnPosts) });
    client.removeQueries({ queryKey: apiQuery(getDraft, { params: { id: draft.id } }).queryKey });
  };
  const onError = invalidate;
  const showDone = (message: string) => {
    invalidate();
    void showToast(message, 'success');
  };
  const params = { id: draft.id };
  const { version, caption, price, media, people } = draft;
  const publish = useApiMutation(publishDraft, { onSuccess: () => showDone(texts.published), onError });
  const remove = useApiMutation(deleteDraft, { onSuccess: ({ info }) => showDone(info), onError });
  const unschedule = useApiMutation(updateDraft, { onSuccess: () => showDone(texts.movedToDrafts), onError });
  return {
    isBusy: publish.isPending || remove.isPending || unschedule.isPending,
    publish: () => publish.mutate({ params, body: { version } }),
    remove: () => remove.mutate({ params }),
    unschedule: () =>
      unschedule.mutate({
        params,
        body: {
          version,
          caption,
          price,
          ...toPostDetails(draft),
          media: media.map((item) => ({ id: item.media.id, alt: item.alt })),
          people: people.map(({ id }) => id),
          scheduledAt: null,
        },
      }),
  };
}

const POLL_MS = 3_000;

/** Learns when files are processed: by the event, and by polling while something waits for them. */
function useProcessedFiles(draft: Draft, isWaiting: boolean): void {
  const client = useQueryClient();
  useSocketEvent(mediaProcessed, (_, { id }) => {
    if (draft.media.some(({ media }) => media.id === id))
      void client.invalidateQueries({ queryKey: routeKey(listDrafts) });
  });
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => void client.invalidateQueries({ queryKey: routeKey(listDrafts) }), POLL_MS);
    return () => clearInterval(timer);
  }, [client, isWaiting]);
}

function WaitNote({ wait }: { wait: PublishWait }) {
  if (!wait.isWaiting) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-small" role="status">
      {texts.publishingWhenReady}
      <Button variant="quiet" onClick={wait.stop}>
        {texts.cancelWaiting}
      </Button>
    </p>
  );
}

function DraftRow({ draft, uploads }: { draft: Draft; uploads: UploadCounts }) {
  const [openPrompt, setOpenPrompt] = useState<'publish' | 'delete' | undefined>();
  const actions = useDraftActions(draft);
  const wait = usePublishWait(draft, actions.publish);
  useProcessedFiles(draft, wait.isWaiting);
  const name = getDraftName(draft);
  const scheduleItems: MenuAction[] = draft.scheduledAt
    ? [
        { label: texts.publishNow, icon: 'send', onSelect: () => setOpenPrompt('publish') },
        { label: texts.unschedule, icon: 'undo', onSelect: actions.unschedule },
      ]
    : [];
  const items: MenuAction[] = [
    { label: texts.edit, icon: 'edit', href: toDraftHref(draft) },
    ...scheduleItems,
    { label: 'Delete', icon: 'trash', danger: true, onSelect: () => setOpenPrompt('delete') },
  ];
  return (
    <li className="flex gap-4 border-t border-line py-4">
      <DraftPicture draft={draft} />
      <div className="grid min-w-0 flex-1 content-start gap-1">
        {draft.scheduledAt && (
          <p className="font-semibold tabular-nums">
            <LocalTime iso={draft.scheduledAt} format={formatScheduledTime} />
          </p>
        )}
        <h2 className="one-line text-lead font-semibold">
          <a className="link" href={toDraftHref(draft)}>
            {name}
          </a>
        </h2>
        <p className="text-small text-muted tabular-nums">{describeDraft(draft, uploads)}</p>
        {!draft.scheduledAt && (
          <p className="text-small text-muted">
            {formatNodes(texts.editedAt, { updatedAt: <LocalTime iso={draft.updatedAt} format={formatShortTime} /> })}
          </p>
        )}
        <WaitNote wait={wait} />
        {draft.failure && (
          <p className="flex gap-1.5 text-small text-danger">
            <Icon name="warning" size={18} />
            <span>{formatText(texts.scheduledPublishingFailed, { failure: draft.failure })}</span>
          </p>
        )}
      </div>
      <Menu label={formatText(texts.optionsFor, { name })} items={items} />
      <ConfirmDialog
        open={openPrompt === 'delete'}
        onOpenChange={() => setOpenPrompt(undefined)}
        title={texts.deleteDraftQuestion}
        lead={texts.deleteDraftConsequence}
        confirmText="Delete"
        danger
        busy={actions.isBusy}
        onConfirm={actions.remove}
      />
      <ConfirmDialog
        open={openPrompt === 'publish'}
        onOpenChange={() => setOpenPrompt(undefined)}
        title={texts.publishNowQuestion}
        lead={formatText(texts.publishNowConsequence, { name: isolateText(name) })}
        confirmText={texts.publish}
        busy={actions.isBusy}
        onConfirm={() => {
          wait.submit();
          setOpenPrompt(undefined);
        }}
      />
      <LeaveGuard unsavedMessage={wait.isWaiting ? texts.postStaysScheduled : undefined} isPathOnly />
    </li>
  );
}

export function DraftList({ state }: { state: DraftTab }) {
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(draftsQuery(state));
  const getUploadCounts = useUploadCounts();
  const drafts = data?.pages.flatMap((page) => page.data) ?? [];
  const total = data?.pages[0]?.totalCount ?? 0;
  if (drafts.length === 0)
    return state === 'draft' ? (
      <EmptyState
        line={texts.noDrafts}
        more={texts.noDraftsHint}
        action={<Button href={PATHS.creatorNewPost}>{texts.writeAPost}</Button>}
      />
    ) : (
      <EmptyState
        line={texts.noScheduledPosts}
        more={texts.noScheduledPostsHint}
        action={<Button href={PATHS.creatorNewPost}>{texts.writeAPost}</Button>}
      />
    );
  return (
    <>
      <ul className="mt-5 max-w-[760px] border-b border-line">
        {drafts.map((draft) => (
          <DraftRow key={draft.id} draft={draft} uploads={getUploadCounts(draft.id)} />
        ))}
      </ul>
      <Pager
        onMore={hasNextPage ? () => void fetchNextPage() : undefined}
        busy={isFetchingNextPage}
        shown={formatText(texts.shownDraftCount, { draftCount: drafts.length, total: total.toLocaleString('en-US') })}
      />
    </>
  );
}
