import { listSharedMedia, SHARED_KINDS } from '@stagedoor/contract/messaging/chat.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toPictureProps } from '../../../../platform/pictures.ts';
import { apiInfiniteQuery } from '../../../../platform/query.ts';
import { Chip, Chips } from '../../../../ui/chips.tsx';
import { Pager } from '../../../../ui/pager.tsx';
import { MediaKindIcon, Picture } from '../../../../ui/picture.tsx';
import { ErrorState, Skeleton } from '../../../../ui/states.tsx';
import { useChatContext } from '../chat-parts.ts';
import * as texts from '../texts.ts';
import { MessageDocuments, VoiceMessage } from './files.tsx';

type SharedKind = (typeof SHARED_KINDS)[number];
const KIND_LABELS: Record<SharedKind, string> = {
  image: texts.photos,
  video: texts.videos,
  audio: texts.voice,
  document: texts.documents,
};
const PAGE_SIZE = 30;

function useSharedMedia(id: string, kind: SharedKind) {
  return useInfiniteQuery({
    ...apiInfiniteQuery(listSharedMedia, { params: { id }, query: { kind, limit: PAGE_SIZE } }),
    staleTime: 0,
  });
}

export function SharedMedia({ id, name, onLeave }: { id: string; name: string; onLeave: () => void }) {
  const [kind, setKind] = useState<SharedKind>('image');
  const { openViewer } = useChatContext();
  const query = useSharedMedia(id, kind);
  const messages = query.data?.pages.flatMap((page) => page.data) ?? [];
  const openMedia = (mediaId: string) => {
    onLeave();
    openViewer(mediaId);
  };
  const items = messages
    .flatMap((message) => message.media)
    .filter((item) => item.kind === (kind === 'video' ? 'video' : 'picture'));
  return (
    <section aria-label={texts.shared}>
      <h2 className="display d4 pb-3">{texts.shared}</h2>
      <Chips label={texts.mediaTypeFilter} wrap>
        {SHARED_KINDS.map((each) => (
          <Chip key={each} pressed={kind === each} onClick={() => setKind(each)}>
            {KIND_LABELS[each]}
          </Chip>
        ))}
      </Chips>
      <div className="pt-4">
        {query.isPending && <Skeleton style={{ height: 96 }} />}
        {query.isError && <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} />}
        {query.data && messages.length === 0 && (
          <p className="text-muted">{formatText(texts.noMediaOfKind, { kind: KIND_LABELS[kind].toLowerCase() })}</p>
        )}
        {(kind === 'image' || kind === 'video') && (
          <ul className="grid grid-cols-3 gap-0.5">
            {items.map((item) => (
              <li key={item.id}>
                {item.isLocked ? (
                  <Picture {...toPictureProps(item.preview, '110px', { ratio: '1 / 1', alt: texts.locked })}>
                    <MediaKindIcon icon="lock" label={texts.locked} />
                  </Picture>
                ) : (
                  <button
                    type="button"
                    className="shot"
                    aria-label={formatText(texts.openSharedMedia, { name })}
                    onClick={() => openMedia(item.id)}
                  >
                    <Picture {...toPictureProps(item.picture, '110px', { ratio: '1 / 1', alt: '' })}>
                      {item.kind === 'video' && <MediaKindIcon icon="play" label={texts.video} />}
                    </Picture>
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
        {kind === 'document' &&
          messages.map((message) => <MessageDocuments key={message.id} documents={message.documents} />)}
        {kind === 'audio' && (
          <ul className="grid gap-3">
            {messages.map(
              ({ id: messageId, voice }) =>
                voice && (
                  <li key={messageId}>
                    <VoiceMessage voice={voice} name={name} />
                  </li>
                ),
            )}
          </ul>
        )}
        <Pager
          onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
          busy={query.isFetchingNextPage}
        />
      </div>
    </section>
  );
}
