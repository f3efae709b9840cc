import type { ChatSide } from '@stagedoor/contract/messaging/messages.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { MediaPlayer } from '../../modules/content/media/player/media-player.tsx';
import { useOpenViewer } from '../../modules/content/media/player/media-viewer.tsx';
import { TipButton } from '../../modules/finance/wallet/tip-button.tsx';
import { ThreadCallButtons, ThreadCallRate } from '../../modules/messaging/calls/call-button.tsx';
import { missedCallsQuery } from '../../modules/messaging/calls/missed-calls.ts';
import { openCallReceipt } from '../../modules/messaging/calls/open-call.ts';
import type {
  ChatBanEvasionHintProps,
  ChatParts,
  ChatPlayerProps,
  ChatTipProps,
  MessageReportProps,
} from '../../modules/messaging/chat/chat-parts.ts';
import { LazyReportDialog } from '../../modules/trust/moderation/lazy-report.ts';
import { ReportTextButton } from '../../modules/trust/moderation/report-button.tsx';
import { lazyPart } from '../../platform/lazy-part.ts';
import { useViewer } from '../../platform/session.ts';

const BUBBLE = '300px';
const Library = lazy(async () => ({
  default: (await import('../../modules/content/drafts/library-picker.tsx')).SendableLibrary,
}));
const Net = lazy(async () => ({ default: (await import('../../modules/content/drafts/net-amount.tsx')).NetHint }));
const Calls = lazyPart(async () => (await import('./call-list.tsx')).CallList);

const LazyBanEvasionHint = lazyPart(
  async () => (await import('../../modules/identity/blocks/ban-evasion-hint.tsx')).BanEvasionHint,
);

function BanEvasionHint(props: ChatBanEvasionHintProps) {
  return (
    <Suspense fallback={props.children}>
      <LazyBanEvasionHint {...props} />
    </Suspense>
  );
}

function Player(props: ChatPlayerProps) {
  return <MediaPlayer {...props} sizes={BUBBLE} pausesOutOfView />;
}

function Tip({ creatorId, creatorName, returnTo, hasLabel }: ChatTipProps) {
  return <TipButton isButton={hasLabel} target={{ creatorId, creatorName, type: 'chat', returnTo }} />;
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
