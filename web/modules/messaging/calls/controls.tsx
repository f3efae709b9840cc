import type { OpenCall } from '@stagedoor/contract/messaging/calls.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type ComponentProps, type CSSProperties, Suspense, useState } from 'react';
import { Sheet } from '../../../ui/dialog.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useCallParts } from './call-parts.ts';
import { DeviceRows } from './device-rows.tsx';
import { setCameraOff, setMicrophoneMuted, switchCamera, useOwnMedia } from './own-media.ts';
import { dispatchCallAction, endCurrentCall, useOtherSide } from './session.ts';
import * as texts from './texts.ts';

function ControlButton({
  icon,
  label,
  ...button
}: { icon: IconName; label: string } & Omit<ComponentProps<'button'>, 'children'>) {
  return (
    <button type="button" className="call-act" aria-label={label} title={label} {...button}>
      <Icon name={icon} />
    </button>
  );
}

export function EndButton({ label }: { label: string }) {
  return (
    <button type="button" className="call-end" onClick={endCurrentCall}>
      <Icon name="hangup" />
      {label}
    </button>
  );
}

function DevicesSheet({ hasVideo, onClose }: { hasVideo: boolean; onClose: () => void }) {
  return (
    <Sheet open onOpenChange={(isOpen) => !isOpen && onClose()} title={texts.cameraAndAudio}>
      <DeviceRows hasVideo={hasVideo} />
    </Sheet>
  );
}

async function toggleFullScreen(): Promise<void> {
  if (document.fullscreenElement) await document.exitFullscreen();
  else await document.documentElement.requestFullscreen();
}

async function togglePictureInPicture(): Promise<void> {
  const video = document.querySelector<HTMLVideoElement>('video.stage__picture');
  if (document.pictureInPictureElement) await document.exitPictureInPicture();
  else await video?.requestPictureInPicture();
}

const ignoreErrors = (action: () => Promise<void>) => () => void action().catch(() => undefined);

function MoreMenu({
  call,
  canSwitch,
  onDevices,
  onReport,
  onBlock,
}: {
  call: OpenCall;
  canSwitch: boolean;
  onDevices: () => void;
  onReport: () => void;
  onBlock: () => void;
}) {
  const { stream, activeMedia } = useOtherSide();
  const canPictureInPicture =
    call.kind === 'video' && stream !== undefined && activeMedia.video && document.pictureInPictureEnabled === true;
  const canFullScreen = document.fullscreenEnabled === true;
  return (
    <Menu
      label={texts.more}
      trigger={
        <button type="button" className="call-act" aria-label={texts.more} title={texts.more}>
          <Icon name="more" />
        </button>
      }
      items={[
        { label: texts.cameraAndAudio, icon: 'settings', onSelect: onDevices },
        ...(canSwitch
          ? [{ label: texts.switchCamera, icon: 'flip' as const, onSelect: () => void switchCamera() }]
          : []),
        ...(canPictureInPicture
          ? [{ label: texts.pictureInPicture, icon: 'pip' as const, onSelect: ignoreErrors(togglePictureInPicture) }]
          : []),
        ...(canFullScreen
          ? [{ label: texts.fullScreen, icon: 'expand' as const, onSelect: ignoreErrors(toggleFullScreen) }]
          : []),
        {
          label: texts.minimize,
          icon: 'shrink',
          onSelect: () => dispatchCallAction({ type: 'small', isMinimized: true }),
        },
        null,
        { label: texts.reportThisCall, icon: 'warning', onSelect: onReport },
        {
          label: formatText(texts.blockUser, { name: call.other.name }),
          icon: 'block',
          danger: true,
          onSelect: onBlock,
        },
      ]}
    />
  );
}

export function CallControls({
  call,
  isAnswered,
  hasChat,
  onChat,
}: {
  call: OpenCall;
  isAnswered: boolean;
  hasChat: boolean;
  onChat: () => void;
}) {
  const { isMuted, isCameraOff, devices } = useOwnMedia();
  const { Tip, Block, Report, side } = useCallParts();
  const [sheet, setSheet] = useState<'devices' | 'report' | 'block'>();
  const hasVideo = call.kind === 'video';
  const canSwitch = hasVideo && devices.cameras.length > 1;
  const buttons = [
    <ControlButton
      key="mute"
      icon={isMuted ? 'mic-off' : 'mic'}
      label={isMuted ? texts.unmuteMicrophone : texts.muteMicrophone}
      aria-pressed={isMuted}
      onClick={() => setMicrophoneMuted(!isMuted)}
    />,
    hasVideo && (
      <ControlButton
        key="camera"
        icon={isCameraOff ? 'camera-off' : 'video'}
        label={isCameraOff ? texts.turnCameraOn : texts.turnCameraOff}
        aria-pressed={isCameraOff}
        onClick={() => void setCameraOff(!isCameraOff)}
      />
    ),
    isAnswered && (
      <ControlButton
        key="chat"
        icon="chat"
        label={hasChat ? texts.hideChat : texts.showChat}
        aria-pressed={hasChat}
        onClick={onChat}
      />
    ),
    isAnswered && side === 'fan' && (
      <Suspense key="tip" fallback={null}>
        <Tip creatorId={call.other.id} creatorName={call.other.name} username={call.other.username} variant="icon" />
      </Suspense>
    ),
    isAnswered && (
      <MoreMenu
        key="more"
        call={call}
        canSwitch={canSwitch}
        onDevices={() => setSheet('devices')}
        onReport={() => setSheet('report')}
        onBlock={() => setSheet('block')}
      />
    ),
  ].filter(Boolean);
  const countStyle: CSSProperties & { '--count': number } = { '--count': buttons.length };
  return (
    <>
      <div className="call-acts" data-end="" style={countStyle}>
        {buttons}
        <EndButton label={isAnswered ? texts.end : texts.cancel} />
      </div>
      {sheet === 'devices' && <DevicesSheet hasVideo={hasVideo} onClose={() => setSheet(undefined)} />}
      {sheet === 'report' && (
        <Suspense fallback={null}>
          <Report userId={call.other.id} callLogId={call.session.callLogId} onClose={() => setSheet(undefined)} />
        </Suspense>
      )}
      {sheet === 'block' && (
        <Suspense fallback={null}>
          <Block
            userId={call.other.id}
            name={call.other.name}
            onClose={(isBlocked) => {
              setSheet(undefined);
              if (isBlocked) endCurrentCall();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
