/** The media that a fan bought in chat (row C5), with receipt and an action to hide it. */

import {
  hidePurchasedChatMedia,
  listPurchasedChatMedia,
  type purchasedChatMedia,
  restorePurchasedChatMedia,
  SHARED_KINDS,
} from '@stagedoor/contract/messaging/chat.ts';
import { PATHS, receiptPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type * as z from 'zod/mini';
import { pauseOthersOnPlay } from '../../modules/content/media/player/exclusive-playback.ts';
import { MediaViewer, useOpenViewer } from '../../modules/content/media/player/media-viewer.tsx';
import type { ViewerItem } from '../../modules/content/media/player/viewer-lightbox.tsx';
import { buildAddress, parseOption } from '../../platform/address.ts';
import { formatBytes } from '../../platform/bytes.ts';
import { formatCount, formatDay, formatDuration } from '../../platform/dates.ts';
import { showToast } from '../../platform/feedback.ts';
import { useApiMutation } from '../../platform/mutation.ts';
import { toPictureProps } from '../../platform/pictures.ts';
import { apiInfiniteQuery, routeKey } from '../../platform/query.ts';
import { Button } from '../../ui/button.tsx';
import { ChipLink, Chips } from '../../ui/chips.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Label } from '../../ui/label.tsx';
import { Menu } from '../../ui/menu.tsx';
import { MediaKindIcon, Picture } from '../../ui/picture.tsx';
import { EmptyState, SkeletonCards } from '../../ui/states.tsx';
import { CountedListing } from './listing.tsx';
import * as texts from './texts.ts';

const PATH = PATHS.fanMedia;
const PAGE = 30;
const SIZES = '(min-width: 80rem) 22vw, (min-width: 43.75rem) 30vw, 50vw';
const GRID_CLASS = 'grid grid-cols-2 gap-x-2 gap-y-6 md:grid-cols-3 lg:gap-x-4 lg:gap-y-8 xl:grid-cols-4';
/** The menu first returns the focus to its button, so that the dialog can return it there later. */
const MENU_CLOSING_MS = 30;

type PurchasedMedia = z.output<typeof purchasedChatMedia>;
type ChatKind = (typeof SHARED_KINDS)[number];
const KIND_LABELS: Record<ChatKind, string> = {
  image: texts.photos,
  video: texts.videos,
  audio: texts.voiceNotes,
  document: texts.files,
};

export const parseChatKind = (search: URLSearchParams): ChatKind | undefined =>
  parseOption(SHARED_KINDS, search.get('kind'));
export const chatMediaQuery = (kind: ChatKind | undefined) =>
  apiInfiniteQuery(listPurchasedChatMedia, { query: { limit: PAGE, ...(kind && { kind }) } });

function toViewerItems({ message }: PurchasedMedia): ViewerItem[] {
  return message.media.flatMap((item) =>
    item.isLocked || item.kind === 'audio'
      ? []
      : [{ id: item.id, kind: item.kind, picture: item.picture, stream: item.stream }],
  );
}

function describePurchase({ message: { media, documents, voice, isRemoved } }: PurchasedMedia): string {
  if (isRemoved) return texts.viewedOnce;
  if (voice) return formatText(texts.voiceNoteWithDuration, { duration: formatDuration(voice.durationSeconds) });
  const [document] = documents;
  if (document) return `${document.fileName}, ${formatBytes(document.byteSize)}`;
  const video = media.find(({ kind }) => kind === 'video');
  if (video)
    return video.durationSeconds === null
      ? texts.video
      : formatText(texts.videoWithDuration, { duration: formatDuration(video.durationSeconds) });
  return formatCount(media.length, 'photo');
}

function PurchaseTile({ purchased, onOpen }: { purchased: PurchasedMedia; onOpen: (id: string) => void }) {
  const { message } = purchased;
  const description = describePurchase(purchased);
  const [first] = toViewerItems(purchased);
  const [document] = message.documents;
  if (first && !message.isRemoved)
    return (
      <button
        type="button"
        className="block w-full"
        aria-label={formatText(texts.openPurchase, { description })}
        onClick={() => onOpen(first.id)}
      >
        <Picture {...toPictureProps(first.picture, SIZES, { ratio: '4 / 5' })}>
          {first.kind === 'video' && <MediaKindIcon icon="play" label={texts.video} />}
          {first.kind === 'picture' && message.media.length > 1 && (
            <MediaKindIcon icon="images" label={texts.severalPhotos} />
          )}
        </Picture>
      </button>
    );
  const icon = message.isRemoved ? 'eye-off' : message.voice ? 'mic' : 'document';
  const tile = (
    <span className="grid aspect-4/5 place-content-center justify-items-center gap-3 bg-surface-2 p-4 text-muted">
      <Icon name={icon} size={32} />
      {message.voice?.url && !message.isRemoved && (
        // biome-ignore lint/a11y/useMediaCaption: a voice note has none
        <audio
          ref={pauseOthersOnPlay}
          controls
          preload="metadata"
          src={message.voice.url}
          aria-label={description}
          className="w-full max-w-[220px]"
        />
      )}
    </span>
  );
  return document?.url && !message.isRemoved ? (
    <a
      href={document.url}
      download={document.fileName}
      className="block"
      aria-label={formatText(texts.downloadPurchase, { description })}
    >
      {tile}
    </a>
  ) : (
    tile
  );
}

function HideDialog({ purchased, onClose }: { purchased: PurchasedMedia; onClose: () => void }) {
  const client = useQueryClient();
  const { id } = purchased.message;
  const invalidate = () => void client.invalidateQueries({ queryKey: routeKey(listPurchasedChatMedia) });
  const restore = useApiMutation(restorePurchasedChatMedia, {
    onSuccess: () => {
      invalidate();
      void showToast(texts.restoredToYourMedia, 'success');
    },
  });
  const hide = useApiMutation(hidePurchasedChatMedia, {
    onSuccess: () => {
      invalidate();
      const undo = { label: texts.undo, onClick: () => restore.mutate({ params: { id } }) };
      void showToast(texts.hiddenFromYourMedia, 'success', { action: undo, id: `hide:${id}` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={texts.hideMediaQuestion}
      lead={texts.hideMediaConsequence}
      confirmText={texts.hide}
      busyText={texts.hiding}
      danger
      busy={hide.isPending}
      onConfirm={() => hide.mutate({ params: { id } })}
    />
  );
}

type RowsProps = { purchased: readonly PurchasedMedia[]; now: string };

function Rows({ purchased, now }: RowsProps) {
  const open = useOpenViewer();
  const [hiding, setHiding] = useState<PurchasedMedia>();
  return (
    <>
      <ul className={GRID_CLASS}>
        {purchased.map((each) => (
          <li key={each.message.id} className="min-w-0">
            <PurchaseTile purchased={each} onOpen={open} />
            <Label title={each.creator.name} detail={each.message.text || describePurchase(each)} stacked />
            <div className="flex items-center justify-between gap-2 text-small text-muted">
              <span className="num one-line">
                {formatDay(each.purchasedAt, now)} · {formatUsd(each.price)}
              </span>
              <span className="-mr-[12px]">
                <Menu
                  label={formatText(texts.mediaOptions, { name: each.creator.name })}
                  items={[
                    { label: texts.receipt, icon: 'document', href: receiptPath(each.transactionId) },
                    {
                      label: texts.hide,
                      icon: 'eye-off',
                      onSelect: () => setTimeout(() => setHiding(each), MENU_CLOSING_MS),
                      danger: true,
                    },
                  ]}
                />
              </span>
            </div>
          </li>
        ))}
      </ul>
      <MediaViewer
        items={purchased.filter(({ message }) => !message.isRemoved).flatMap(toViewerItems)}
        name="Your media"
      />
      {hiding && <HideDialog key={hiding.message.id} purchased={hiding} onClose={() => setHiding(undefined)} />}
    </>
  );
}

export function ChatMedia({ search, now }: { search: URLSearchParams; now: string }) {
  const kind = parseChatKind(search);
  const query = useInfiniteQuery(chatMediaQuery(kind));
  const empty = kind ? (
    <EmptyState
      line={texts.noPurchasesOfThisType}
      action={<Button href={`${PATH}?tab=chat`}>{texts.showAllPurchases}</Button>}
    />
  ) : (
    <EmptyState
      line={texts.noChatMediaTitle}
      more={texts.noChatMediaHint}
      action={<Button href="/">{texts.findCreators}</Button>}
    />
  );
  return (
    <>
      <Chips label={texts.mediaType} className="mb-6">
        {[undefined, ...SHARED_KINDS].map((each) => (
          <ChipLink key={each ?? 'all'} href={buildAddress(PATH, search, { kind: each })} current={kind === each}>
            {each ? KIND_LABELS[each] : texts.all}
          </ChipLink>
        ))}
      </Chips>
      <CountedListing query={query} skeleton={<SkeletonCards className={GRID_CLASS} />} empty={empty}>
        {(all) => <Rows purchased={all} now={now} />}
      </CountedListing>
    </>
  );
}
