import { type CSSProperties, useEffect, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { Banner } from '../../../ui/states.tsx';
import { canChooseSpeaker, type DeviceTrouble, formatDeviceTrouble, startLevelMeter } from './local-media.ts';
import { chooseCamera, chooseMicrophone, chooseSpeaker, openOwnMedia, useOwnMedia } from './own-media.ts';
import * as texts from './texts.ts';
import { playTone } from './tones.ts';

const AUDIBLE_LEVEL = 0.35;

function MicrophoneLevel({ track }: { track: MediaStreamTrack | undefined }) {
  const [level, setLevel] = useState(0);
  const [wasAudible, setWasAudible] = useState(false);
  useEffect(() => {
    if (!track) return;
    return startLevelMeter(track, (measured) => {
      setLevel(measured);
      if (measured > AUDIBLE_LEVEL) setWasAudible(true);
    });
  }, [track]);
  const style: CSSProperties & { '--level': string } = { '--level': level.toFixed(2) };
  return (
    <div className="level">
      <Icon name="mic" />
      {/* biome-ignore lint/a11y/useSemanticElements: a native one cannot be drawn as bars in every browser */}
      <span
        className="level__bar"
        role="meter"
        aria-label={texts.microphoneLevel}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(level * 100)}
        style={style}
      />
      <span role="status">{wasAudible ? texts.weCanHearYou : track ? texts.saySomething : texts.requestingAccess}</span>
    </div>
  );
}

function DeviceSelect({
  icon,
  label,
  devices,
  value,
  onChoose,
}: {
  icon: IconName;
  label: string;
  devices: readonly MediaDeviceInfo[];
  value: string | undefined;
  onChoose: (id: string) => void;
}) {
  if (devices.length === 0) return null;
  return (
    <div className="pick">
      <Icon name={icon} />
      <select aria-label={label} value={value ?? ''} onChange={(event) => onChoose(event.currentTarget.value)}>
        {devices.map((device, index) => (
          <option key={device.deviceId} value={device.deviceId}>
            {device.label || `${label} ${index + 1}`}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" size={18} />
    </div>
  );
}

function SpeakerRow() {
  const { devices, speaker } = useOwnMedia();
  const speakers = canChooseSpeaker() ? devices.speakers : [];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center border-t border-line">
      {speakers.length > 0 ? (
        <div className="-mt-px">
          <DeviceSelect
            icon="sound"
            label={texts.speaker}
            devices={speakers}
            value={speaker || speakers[0]?.deviceId}
            onChoose={chooseSpeaker}
          />
        </div>
      ) : (
        <span className="flex min-h-12 items-center gap-3">
          <Icon name="sound" />
          {texts.speaker}
        </span>
      )}
      <Button variant="quiet" onClick={() => void playTone('test', speaker)}>
        {texts.testSound}
      </Button>
    </div>
  );
}

export function DeviceTroubleNotice({
  deviceKind,
  trouble,
  onRetry,
}: {
  deviceKind: 'camera' | 'microphone';
  trouble: DeviceTrouble;
  onRetry: () => void;
}) {
  const { title, detail } = formatDeviceTrouble(deviceKind, trouble);
  return (
    <div className="py-3">
      <Banner
        kind="warn"
        inline
        action={
          <Button variant="quiet" onClick={onRetry}>
            {texts.tryAgain}
          </Button>
        }
      >
        <b className="font-semibold">{title}</b> {detail}
      </Banner>
    </div>
  );
}

export function DeviceRows({ hasVideo, hasLevel = false }: { hasVideo: boolean; hasLevel?: boolean }) {
  const { microphone, camera, microphoneTrouble, cameraTrouble, devices } = useOwnMedia();
  const retry = () => void openOwnMedia(hasVideo);
  return (
    <>
      {hasVideo && cameraTrouble && <DeviceTroubleNotice deviceKind="camera" trouble={cameraTrouble} onRetry={retry} />}
      {microphoneTrouble ? (
        <DeviceTroubleNotice deviceKind="microphone" trouble={microphoneTrouble} onRetry={retry} />
      ) : (
        hasLevel && <MicrophoneLevel key={microphone?.id} track={microphone} />
      )}
      <DeviceSelect
        icon="mic"
        label={texts.microphone}
        devices={devices.microphones}
        value={microphone?.getSettings().deviceId}
        onChoose={(id) => void chooseMicrophone(id)}
      />
      {hasVideo && (
        <DeviceSelect
          icon="video"
          label={texts.camera}
          devices={devices.cameras}
          value={camera?.getSettings().deviceId}
          onChoose={(id) => void chooseCamera(id)}
        />
      )}
      <SpeakerRow />
    </>
  );
}
