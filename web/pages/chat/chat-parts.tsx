import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { Side } from '@stagedoor/contract/messages.ts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { ThreadCallButtons, ThreadCallRate } from '../../features/calls/call-button.tsx';
import { missedQuery } from '../../features/calls/missed.ts';
import { openReceipt } from '../../features/calls/opening.ts';
import { LazyReportDialog } from '../../features/cases/lazy-report.ts';
import { ReportWords } from '../../features/cases/report-button.tsx';
import type { ChatParts, PlayerProps, ReportProps, SeemsProps, TipProps } from '../../features/chat/parts.ts';
import { MediaPlayer } from '../../features/player/media-player.tsx';
import { useOpenViewer } from '../../features/player/media-viewer.tsx';
import { TipButton } from '../../features/wallet/tip-button.tsx';
import { lazyPart } from '../../kernel/lazy-part.ts';
import { useViewer } from '../../kernel/session.ts';

const BUBBLE = '300px';
const Library = lazy(async () => ({
  default: (await import('../../features/publishing/library-picker.tsx')).SendableLibrary,
}));
const Net = lazy(async () => ({ default: (await import('../../features/publishing/net.tsx')).YouGet }));
const Calls = lazyPart(async () => (await import('./call-list.tsx')).CallList);

const SeemsLater = lazyPart(async () => (await import('../../features/blocking/seems.tsx')).Seems);

function Seems(props: SeemsProps) {
  return (
    <Suspense fallback={props.children}>
      <SeemsLater {...props} />
    </Suspense>
  );
}

function Player({ media, title, artist, ratio, isCompact }: PlayerProps) {
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

function Tip({ creatorId, creatorName, returnTo, hasWord }: TipProps) {
  return <TipButton isButton={hasWord} target={{ creatorId, creatorName, type: 'chat', returnTo }} />;
}

function YouGet({ price }: { price: number }) {
  return (
    <Suspense fallback={null}>
      <Net price={price} />
    </Suspense>
  );
}

function Report({ userId, messageId, onClose }: ReportProps) {
  return (
    <Suspense fallback={null}>
      <LazyReportDialog target={{ userId, type: 'message', typeId: messageId }} onClose={onClose} />
    </Suspense>
  );
}

export type ChatFacts = { side: Side; viewerId: string; rendered: string };

export function useChatParts({ side, viewerId, rendered }: ChatFacts): ChatParts {
  const base = side === 'creator' ? PATHS.creatorChat : PATHS.fanChat;
  const isOwner = !useViewer()?.acting;
  return {
    ...{ viewerId, side, base, rendered, isOwner },
    ...{
      Player,
      Tip,
      Library,
      YouGet,
      Report,
      ReportPerson: ReportWords,
      Calls,
      CallButtons: ThreadCallButtons,
      CallRate: ThreadCallRate,
      Seems,
    },
    missedCount: useQuery({ ...missedQuery(), enabled: isOwner }).data?.count ?? 0,
    openReceipt: (id) => void openReceipt(id),
    openViewer: useOpenViewer(),
  };
}
