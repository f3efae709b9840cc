import { VERIFICATION } from '@stagedoor/contract/atoms/room-limits.ts';
import { addVerificationDocument, type DocumentKind, type Verification } from '@stagedoor/contract/verification.ts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { formatBytes } from '../../kernel/bytes.ts';
import { formatDayTime, withinSentence } from '../../kernel/dates.ts';
import { postForm } from '../../kernel/post-form.ts';
import { Button } from '../../ui/button.tsx';
import { FieldError } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { Progress } from '../../ui/states.tsx';
import { takePicture } from './camera.ts';
import { useKeepVerification } from './queries.ts';
import { StepFrame } from './step-frame.tsx';
import { documentOf, placeBefore } from './steps.ts';
import { ChoosePicture, Finder, type Ready, useCamera } from './viewfinder.tsx';
import { type PictureWords, pictureWords } from './words.ts';
import { ZoomPicture } from './zoom-picture.tsx';

const CARD = 'M12.5 10.5h55v35h-55zM20 18h10v14H20zM36 20h24M36 26h18';
const CUT = 'M-6 8h50v42H-6zM-2 18h12v16H-2zM16 22h22M16 29h16';

function Help() {
  const pictures = [
    { words: 'In frame', icon: 'check', path: CARD },
    { words: 'Cut off', icon: 'close', path: CUT },
    { words: 'Glare', icon: 'close', path: CARD, hasGlare: true },
  ] as const;
  return (
    <ul className="v-help">
      {pictures.map(({ words, icon, path, ...more }) => (
        <li key={words}>
          <svg viewBox="0 0 80 56" aria-hidden="true">
            <path d={path} fill="var(--surface-0)" stroke="var(--muted)" />
            {'hasGlare' in more && <ellipse cx="50" cy="25" rx="15" ry="10" fill="var(--bar)" />}
          </svg>
          <span>
            <Icon name={icon} size={14} />
            {words}
          </span>
        </li>
      ))}
    </ul>
  );
}

type StepProps = {
  verification: Verification;
  kind: DocumentKind;
  words: PictureWords;
};

function Take({ verification, kind, words, onTaken }: StepProps & { onTaken: (picture: Blob) => void }) {
  const shape = kind === 'selfie' ? 'face' : 'card';
  const { camera, open } = useCamera(shape);
  const [ready, setReady] = useState<Ready>();
  const [complaint, setComplaint] = useState<string>();
  const isReady = camera.state === 'open' && ready?.stream === camera.stream;
  const shoot = async () => {
    const picture = ready && (await takePicture(ready.video));
    if (picture) onTaken(picture);
  };
  const choose = (file: File) => {
    if (file.size === 0) setComplaint('This file is empty.');
    else if (file.size > VERIFICATION.pictureBytes)
      setComplaint(`This photo is larger than ${formatBytes(VERIFICATION.pictureBytes)}.`);
    else onTaken(file);
  };
  const reason = documentOf(verification, kind)?.reason;
  return (
    <StepFrame
      place={kind}
      before={placeBefore(verification, kind)}
      title={words.title}
      lead={words.lead}
      foot={
        <>
          <FieldError message={complaint} />
          {camera.state === 'open' ? (
            <Button variant="primary" size="lg" wide disabled={!isReady} onClick={() => void shoot()}>
              Take photo
            </Button>
          ) : (
            <Button
              variant="primary"
              size="lg"
              wide
              busy={camera.state === 'opening'}
              busyText="Opening…"
              onClick={open}
            >
              {camera.state === 'out' ? 'Try the camera again' : 'Open camera'}
            </Button>
          )}
          <ChoosePicture onChosen={choose} />
        </>
      }
    >
      {reason && (
        <p className="v-why">
          <b className="font-semibold">{reason}</b>
        </p>
      )}
      <Finder camera={camera} shape={shape} onReady={setReady} />
      {shape === 'card' ? (
        <Help />
      ) : (
        <p className="pt-3.5 text-small text-muted">
          Only used to match your ID. Deleted {VERIFICATION.keptDays} days after the decision.
        </p>
      )}
    </StepFrame>
  );
}

type Taken = { picture: Blob; url: string };

function useSending(kind: DocumentKind, onSent: (verification: Verification) => void) {
  const keep = useKeepVerification();
  const [progress, setProgress] = useState(0);
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);
  const sending = useMutation({
    mutationFn: (picture: Blob) => {
      const form = new FormData();
      form.set('file', picture, picture instanceof File ? picture.name : `${kind}.jpg`);
      leaving.current = new AbortController();
      setProgress(0);
      const { signal } = leaving.current;
      return postForm(addVerificationDocument, { params: { kind } }, form, { signal, progress: setProgress });
    },
    onSuccess: (answer) => {
      keep(answer);
      onSent(answer);
    },
  });
  return { sending, progress };
}

type CheckProps = StepProps & { taken: Taken; onAgain: () => void; onSent: (verification: Verification) => void };

function Check({ verification, kind, words, taken, onAgain, onSent }: CheckProps) {
  const { sending, progress } = useSending(kind, onSent);
  const [isSmall, setSmall] = useState(false);
  const { isPending, error } = sending;
  return (
    <StepFrame
      place={kind}
      before={placeBefore(verification, kind)}
      title={words.question}
      lead={kind === 'selfie' ? 'If you can see it, so can we.' : 'If you can read it, so can we.'}
      foot={
        <>
          {isSmall && <FieldError message={`Image too small. Use at least ${VERIFICATION.leastPixels} pixels.`} />}
          {error && <Refusal message={error.message} />}
          {isPending && <Progress label={progress < 1 ? 'Sending' : 'Checking'} value={progress * 100} />}
          <Button
            variant="primary"
            size="lg"
            wide
            disabled={isSmall}
            busy={isPending}
            busyText="Sending…"
            onClick={() => sending.mutate(taken.picture)}
          >
            {error ? 'Send again' : 'Use this photo'}
          </Button>
          <Button variant="quiet" wide disabled={isPending} onClick={onAgain}>
            Retake
          </Button>
        </>
      }
    >
      <div className="v-cam" data-shape={kind === 'selfie' ? 'face' : 'card'}>
        <ZoomPicture
          src={taken.url}
          alt={words.alt}
          brokenWords="Your browser can’t preview this format, but you can still send it."
          onSize={(width, height) => setSmall(Math.min(width, height) < VERIFICATION.leastPixels)}
        />
      </div>
    </StepFrame>
  );
}

function There({
  verification,
  kind,
  words,
  takenAt,
  now,
  onAgain,
  onGoOn,
}: StepProps & { takenAt: string; now: string; onAgain: () => void; onGoOn: () => void }) {
  return (
    <StepFrame
      place={kind}
      before={placeBefore(verification, kind)}
      title={words.title}
      lead={`Sent ${withinSentence(formatDayTime(takenAt, now))}. We keep it encrypted.`}
      foot={
        <>
          <Button variant="primary" size="lg" wide onClick={onGoOn}>
            Continue
          </Button>
          <Button variant="quiet" wide onClick={onAgain}>
            Retake
          </Button>
        </>
      }
    />
  );
}

export interface PictureStepProps {
  verification: Verification;
  kind: DocumentKind;
  /** An ISO timestamp. */
  now: string;
  onDone: (verification: Verification) => void;
}

export function PictureStep({ verification, kind, now, onDone }: PictureStepProps) {
  const [taken, setTaken] = useState<Taken>();
  const [isAgain, setAgain] = useState(false);
  const url = taken?.url;
  useEffect(() => () => (url === undefined ? undefined : URL.revokeObjectURL(url)), [url]);
  const step = { verification, kind, words: pictureWords(kind, verification.details?.documentType ?? 'identityCard') };
  const document = documentOf(verification, kind);
  if (taken) return <Check {...step} taken={taken} onAgain={() => setTaken(undefined)} onSent={onDone} />;
  if (document?.takenAt && document.state !== 'rejected' && !isAgain)
    return (
      <There
        {...step}
        takenAt={document.takenAt}
        now={now}
        onAgain={() => setAgain(true)}
        onGoOn={() => onDone(verification)}
      />
    );
  return <Take {...step} onTaken={(picture) => setTaken({ picture, url: URL.createObjectURL(picture) })} />;
}
