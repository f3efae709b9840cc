import { type CSSProperties, useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Banner } from '../../ui/states.tsx';
import { canChooseSpeaker, meterOf, type Trouble, troubleWords } from './local-media.ts';
import { chooseCamera, chooseMicrophone, chooseSpeaker, openOwnMedia, useOwnMedia } from './own-media.ts';
import { playTone } from './tones.ts';

const HEARD_LEVEL = 0.35;

function Level({ track }: { track: MediaStreamTrack | undefined }) {
  const [level, setLevel] = useState(0);
  const [hasHeard, setHasHeard] = useState(false);
  useEffect(() => {
    if (!track) return;
    return meterOf(track, (heard) => {
      setLevel(heard);
      if (heard > HEARD_LEVEL) setHasHeard(true);
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
        aria-label="Microphone level"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(level * 100)}
        style={style}
      />
      <span role="status">{hasHeard ? 'We can hear you' : track ? 'Say something' : 'Requesting access…'}</span>
    </div>
  );
}

function PickRow({
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
          <PickRow
            icon="sound"
            label="Speaker"
            devices={speakers}
            value={speaker || speakers[0]?.deviceId}
            onChoose={chooseSpeaker}
          />
        </div>
      ) : (
        <span className="flex min-h-12 items-center gap-3">
          <Icon name="sound" />
          Speaker
        </span>
      )}
      <Button variant="quiet" onClick={() => void playTone('test', speaker)}>
        Test sound
      </Button>
    </div>
  );
}

export function TroubleNote({
  what,
  trouble,
  onRetry,
}: {
  what: 'camera' | 'microphone';
  trouble: Trouble;
  onRetry: () => void;
}) {
  const { line, more } = troubleWords(what, trouble);
  return (
    <div className="py-3">
      <Banner
        kind="warn"
        inline
        action={
          <Button variant="quiet" onClick={onRetry}>
            Try again
          </Button>
        }
      >
        <b className="font-semibold">{line}</b> {more}
      </Banner>
    </div>
  );
}

export function DeviceRows({ hasVideo, hasLevel = false }: { hasVideo: boolean; hasLevel?: boolean }) {
  const { microphone, camera, microphoneTrouble, cameraTrouble, devices } = useOwnMedia();
  const retry = () => void openOwnMedia(hasVideo);
  return (
    <>
      {hasVideo && cameraTrouble && <TroubleNote what="camera" trouble={cameraTrouble} onRetry={retry} />}
      {microphoneTrouble ? (
        <TroubleNote what="microphone" trouble={microphoneTrouble} onRetry={retry} />
      ) : (
        hasLevel && <Level key={microphone?.id} track={microphone} />
      )}
      <PickRow
        icon="mic"
        label="Microphone"
        devices={devices.microphones}
        value={microphone?.getSettings().deviceId}
        onChoose={(id) => void chooseMicrophone(id)}
      />
      {hasVideo && (
        <PickRow
          icon="video"
          label="Camera"
          devices={devices.cameras}
          value={camera?.getSettings().deviceId}
          onChoose={(id) => void chooseCamera(id)}
        />
      )}
      <SpeakerRow />
    </>
  );
}
