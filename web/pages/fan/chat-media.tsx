/** The media that a fan bought in chat (row C5), with receipt and an action to hide it. */
import { PATHS, receiptPath } from '@stagedoor/contract/addresses.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import {
  hidePurchasedChatMedia,
  listPurchasedChatMedia,
  type purchasedChatMedia,
  restorePurchasedChatMedia,
  SHARED_KINDS,
} from '@stagedoor/contract/chat.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type * as z from 'zod/mini';
import { playAlone } from '../../features/player/alone.ts';
import { MediaViewer, type Shown, useOpenViewer } from '../../features/player/media-viewer.tsx';
import { addressWith, oneOf } from '../../kernel/address.ts';
import { formatBytes } from '../../kernel/bytes.ts';
import { formatDay, formatDuration, plural } from '../../kernel/dates.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { pictureProps } from '../../kernel/pictures.ts';
import { apiInfiniteQuery, routeKey } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';
import { ChipLink, Chips } from '../../ui/chips.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Label } from '../../ui/label.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Kind, Picture } from '../../ui/picture.tsx';
import { EmptyState, SkeletonCards } from '../../ui/states.tsx';
import { CountedListing } from './listing.tsx';

const PATH = PATHS.fanMedia;
const PAGE = 30;
const SIZES = '(min-width: 80rem) 22vw, (min-width: 43.75rem) 30vw, 50vw';
const WALL = 'grid grid-cols-2 gap-x-2 gap-y-6 md:grid-cols-3 lg:gap-x-4 lg:gap-y-8 xl:grid-cols-4';
/** The menu first returns the focus to its button, so that the dialog can return it there later. */
const MENU_CLOSING_MS = 30;

type Bought = z.output<typeof purchasedChatMedia>;
type ChatKind = (typeof SHARED_KINDS)[number];
const WORDS: Record<ChatKind, string> = { image: 'Photos', video: 'Videos', audio: 'Voice notes', document: 'Files' };

export const chatKindOf = (search: URLSearchParams): ChatKind | undefined => oneOf(SHARED_KINDS, search.get('kind'));
export const chatMediaQuery = (kind: ChatKind | undefined) =>
  apiInfiniteQuery(listPurchasedChatMedia, { query: { limit: PAGE, ...(kind && { kind }) } });

function shownOf({ message }: Bought): Shown[] {
  return message.media.flatMap((item) =>
    item.isLocked || item.kind === 'audio'
      ? []
      : [{ id: item.id, kind: item.kind, picture: item.picture, stream: item.stream }],
  );
}

function describe({ message: { media, documents, voice, isRemoved } }: Bought): string {
  if (isRemoved) return 'Viewed once';
  if (voice) return `Voice note, ${formatDuration(voice.durationSeconds)}`;
  const [document] = documents;
  if (document) return `${document.fileName}, ${formatBytes(document.byteSize)}`;
  const video = media.find(({ kind }) => kind === 'video');
  if (video) return video.durationSeconds === null ? 'Video' : `Video, ${formatDuration(video.durationSeconds)}`;
  return plural(media.length, 'photo');
}

function Face({ bought, onOpen }: { bought: Bought; onOpen: (id: string) => void }) {
  const { message } = bought;
  const what = describe(bought);
  const [first] = shownOf(bought);
  const [document] = message.documents;
  if (first && !message.isRemoved)
    return (
      <button type="button" className="block w-full" aria-label={`Open ${what}`} onClick={() => onOpen(first.id)}>
        <Picture {...pictureProps(first.picture, SIZES, { ratio: '4 / 5' })}>
          {first.kind === 'video' && <Kind icon="play" label="Video" />}
          {first.kind === 'picture' && message.media.length > 1 && <Kind icon="images" label="Several photos" />}
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
          ref={playAlone}
          controls
          preload="metadata"
          src={message.voice.url}
          aria-label={what}
          className="w-full max-w-[220px]"
        />
      )}
    </span>
  );
  return document?.url && !message.isRemoved ? (
    <a href={document.url} download={document.fileName} className="block" aria-label={`Download ${what}`}>
      {tile}
    </a>
  ) : (
    tile
  );
}

function HideDialog({ bought, onClose }: { bought: Bought; onClose: () => void }) {
  const client = useQueryClient();
  const { id } = bought.message;
  const forget = () => void client.invalidateQueries({ queryKey: routeKey(listPurchasedChatMedia) });
  const restore = useApiMutation(restorePurchasedChatMedia, {
    onSuccess: () => {
      forget();
      void showToast('Restored to your media.', 'success');
    },
  });
  const hide = useApiMutation(hidePurchasedChatMedia, {
    onSuccess: () => {
      forget();
      const undo = { label: 'Undo', onClick: () => restore.mutate({ params: { id } }) };
      void showToast('Hidden from your media.', 'success', { action: undo, id: `hide:${id}` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Hide from your media?"
      lead="It will be hidden from this list. You can still view it in chat, and the receipt stays in your wallet."
      confirmText="Hide"
      busyText="Hiding…"
      danger
      busy={hide.isPending}
      onConfirm={() => hide.mutate({ params: { id } })}
    />
  );
}

type RowsProps = { bought: readonly Bought[]; now: string };

function Rows({ bought, now }: RowsProps) {
  const open = useOpenViewer();
  const [leaving, setLeaving] = useState<Bought>();
  return (
    <>
      <ul className={WALL}>
        {bought.map((each) => (
          <li key={each.message.id} className="min-w-0">
            <Face bought={each} onOpen={open} />
            <Label who={each.creator.name} what={each.message.text || describe(each)} stacked />
            <div className="flex items-center justify-between gap-2 text-small text-muted">
              <span className="num one-line">
                {formatDay(each.purchasedAt, now)} · {formatUsd(each.price)}
              </span>
              <span className="-mr-[12px]">
                <Menu
                  label={`Options for media from ${each.creator.name}`}
                  items={[
                    { label: 'Receipt', icon: 'document', href: receiptPath(each.transactionId) },
                    {
                      label: 'Hide',
                      icon: 'eye-off',
                      onSelect: () => setTimeout(() => setLeaving(each), MENU_CLOSING_MS),
                      danger: true,
                    },
                  ]}
                />
              </span>
            </div>
          </li>
        ))}
      </ul>
      <MediaViewer items={bought.filter(({ message }) => !message.isRemoved).flatMap(shownOf)} name="Your media" />
      {leaving && <HideDialog key={leaving.message.id} bought={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  );
}

export function ChatMedia({ search, now }: { search: URLSearchParams; now: string }) {
  const kind = chatKindOf(search);
  const query = useInfiniteQuery(chatMediaQuery(kind));
  const empty = kind ? (
    <EmptyState
      line="No purchases of this type."
      action={<Button href={`${PATH}?tab=chat`}>Show all purchases</Button>}
    />
  ) : (
    <EmptyState
      line="Media you unlock in chat appears here."
      more="You can view it here anytime."
      action={<Button href="/">Find creators</Button>}
    />
  );
  return (
    <>
      <Chips label="Media type" className="mb-6">
        {[undefined, ...SHARED_KINDS].map((each) => (
          <ChipLink key={each ?? 'all'} href={addressWith(PATH, search, { kind: each })} current={kind === each}>
            {each ? WORDS[each] : 'All'}
          </ChipLink>
        ))}
      </Chips>
      <CountedListing query={query} skeleton={<SkeletonCards className={WALL} />} empty={empty}>
        {(all) => <Rows bought={all} now={now} />}
      </CountedListing>
    </>
  );
}
