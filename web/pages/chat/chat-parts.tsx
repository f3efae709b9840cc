import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { ChatSide } from '@stagedoor/contract/messages.ts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { ThreadCallButtons, ThreadCallRate } from '../../features/calls/call-button.tsx';
import { missedCallsQuery } from '../../features/calls/missed-calls.ts';
import { openCallReceipt } from '../../features/calls/open-call.ts';
import { LazyReportDialog } from '../../features/cases/lazy-report.ts';
import { ReportTextButton } from '../../features/cases/report-button.tsx';
import type {
  ChatBanEvasionHintProps,
  ChatParts,
  ChatPlayerProps,
  ChatTipProps,
  MessageReportProps,
} from '../../features/chat/chat-parts.ts';
import { MediaPlayer } from '../../features/player/media-player.tsx';
import { useOpenViewer } from '../../features/player/media-viewer.tsx';
import { TipButton } from '../../features/wallet/tip-button.tsx';
import { lazyPart } from '../../kernel/lazy-part.ts';
import { useViewer } from '../../kernel/session.ts';

const BUBBLE = '300px';
const Library = lazy(async () => ({
  default: (await import('../../features/publishing/library-picker.tsx')).SendableLibrary,
}));
const Net = lazy(async () => ({ default: (await import('../../features/publishing/net-amount.tsx')).NetHint }));
const Calls = lazyPart(async () => (await import('./call-list.tsx')).CallList);

const LazySeems = lazyPart(async () => (await import('../../features/blocking/ban-evasion-hint.tsx')).BanEvasionHint);

function BanEvasionHint(props: ChatBanEvasionHintProps) {
  return (
    <Suspense fallback={props.children}>
      <LazySeems {...props} />
    </Suspense>
  );
}

function Player({ media, title, artist, ratio, isCompact }: ChatPlayerProps) {
  return (
    <MediaPlayer
      media={media}
      title={title}
      artist={artist}
      ratio={ratio}
      sizes={BUBBLE}
      isCompact={isCompact}
      pausesOutOfView
    />
  );
}

function Tip({ creatorId, creatorName, returnTo, hasWord }: ChatTipProps) {
  return <TipButton isButton={hasWord} target={{ creatorId, creatorName, type: 'chat', returnTo }} />;
}

function CreatorShare({ price }: { price: number }) {
  return (
    <Suspense fallback={null}>
      <Net price={price} />
    </Suspense>
  );
}

function Report({ userId, messageId, onClose }: MessageReportProps) {
  return (
    <Suspense fallback={null}>
      <LazyReportDialog target={{ userId, type: 'message', typeId: messageId }} onClose={onClose} />
    </Suspense>
  );
}

export type ChatPartsInput = { side: ChatSide; viewerId: string; rendered: string };

export function useChatParts({ side, viewerId, rendered }: ChatPartsInput): ChatParts {
  const base = side === 'creator' ? PATHS.creatorChat : PATHS.fanChat;
  const isOwner = !useViewer()?.delegation;
  return {
    ...{ viewerId, side, base, rendered, isOwner },
    ...{
      Player,
      Tip,
      Library,
      CreatorShare,
      Report,
      ReportUser: ReportTextButton,
      Calls,
      CallButtons: ThreadCallButtons,
      CallRate: ThreadCallRate,
      BanEvasionHint,
    },
    missedCount: useQuery({ ...missedCallsQuery(), enabled: isOwner }).data?.count ?? 0,
    openReceipt: (id) => void openCallReceipt(id),
    openViewer: useOpenViewer(),
  };
}
