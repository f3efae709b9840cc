import {
  type DocumentKind,
  uploadVerificationDocument,
  type Verification,
} from '@stagedoor/contract/compliance/verification.ts';
import { VERIFICATION_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { formatBytes } from '../../../platform/bytes.ts';
import { formatDayTime, lowercaseDayWord } from '../../../platform/dates.ts';
import { uploadForm } from '../../../platform/upload-form.ts';
import { Button } from '../../../ui/button.tsx';
import { FieldErrorMessage } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { Progress } from '../../../ui/states.tsx';
import { takePicture } from './camera.ts';
import { useSetVerification } from './queries.ts';
import { StepFrame } from './step-frame.tsx';
import { findDocument, findPreviousPage } from './steps.ts';
import { getPictureTexts, type PictureTexts } from './verification-labels.ts';
import { ChoosePicture, type ReadyCamera, useCamera, Viewfinder } from './viewfinder.tsx';
import { ZoomPicture } from './zoom-picture.tsx';

const CARD = 'M12.5 10.5h55v35h-55zM20 18h10v14H20zM36 20h24M36 26h18';
const CUT_CARD = 'M-6 8h50v42H-6zM-2 18h12v16H-2zM16 22h22M16 29h16';

function PictureHelp() {
  const pictures = [
    { label: 'In frame', icon: 'check', path: CARD },
    { label: 'Cut off', icon: 'close', path: CUT_CARD },
    { label: 'Glare', icon: 'close', path: CARD, hasGlare: true },
  ] as const;
  return (
    <ul className="v-help">
      {pictures.map(({ label, icon, path, ...more }) => (
        <li key={label}>
          <svg viewBox="0 0 80 56" aria-hidden="true">
            <path d={path} fill="var(--surface-0)" stroke="var(--muted)" />
            {'hasGlare' in more && <ellipse cx="50" cy="25" rx="15" ry="10" fill="var(--bar)" />}
          </svg>
          <span>
            <Icon name={icon} size={14} />
            {label}
          </span>
        </li>
      ))}
    </ul>
  );
}

type StepProps = {
  verification: Verification;
  kind: DocumentKind;
  texts: PictureTexts;
};

function CaptureStep({ verification, kind, texts, onTaken }: StepProps & { onTaken: (picture: Blob) => void }) {
  const shape = kind === 'selfie' ? 'face' : 'card';
  const { camera, open } = useCamera(shape);
  const [ready, setReady] = useState<ReadyCamera>();
  const [error, setError] = useState<string>();
  const isReady = camera.state === 'open' && ready?.stream === camera.stream;
  const takePhoto = async () => {
    const picture = ready && (await takePicture(ready.video));
    if (picture) onTaken(picture);
  };
  const choose = (file: File) => {
    if (file.size === 0) setError('This file is empty.');
    else if (file.size > VERIFICATION_LIMITS.pictureBytes)
      setError(`This photo is larger than ${formatBytes(VERIFICATION_LIMITS.pictureBytes)}.`);
    else onTaken(file);
  };
  const reason = findDocument(verification, kind)?.reason;
  return (
    <StepFrame
      page={kind}
      previousPage={findPreviousPage(verification, kind)}
      title={texts.title}
      lead={texts.lead}
      foot={
        <>
          <FieldErrorMessage message={error} />
          {camera.state === 'open' ? (
            <Button variant="primary" size="lg" wide disabled={!isReady} onClick={() => void takePhoto()}>
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
      <Viewfinder camera={camera} shape={shape} onReady={setReady} />
      {shape === 'card' ? (
        <PictureHelp />
      ) : (
        <p className="pt-3.5 text-small text-muted">
          Only used to match your ID. Deleted {VERIFICATION_LIMITS.retentionDays} days after the decision.
        </p>
      )}
    </StepFrame>
  );
}

type TakenPicture = { picture: Blob; url: string };

function useUploadPicture(kind: DocumentKind, onSent: (verification: Verification) => void) {
  const setCached = useSetVerification();
  const [progress, setProgress] = useState(0);
  const abortController = useRef<AbortController>(undefined);
  useEffect(() => () => abortController.current?.abort(), []);
  const upload = useMutation({
    mutationFn: (picture: Blob) => {
      const form = new FormData();
      form.set('file', picture, picture instanceof File ? picture.name : `${kind}.jpg`);
      abortController.current = new AbortController();
      setProgress(0);
      const { signal } = abortController.current;
      return uploadForm(uploadVerificationDocument, { params: { kind } }, form, { signal, progress: setProgress });
    },
    onSuccess: (response) => {
      setCached(response);
      onSent(response);
    },
  });
  return { upload, progress };
}

type ReviewProps = StepProps & {
  taken: TakenPicture;
  onRetake: () => void;
  onSent: (verification: Verification) => void;
};

function ReviewStep({ verification, kind, texts, taken, onRetake, onSent }: ReviewProps) {
  const { upload, progress } = useUploadPicture(kind, onSent);
  const [isSmall, setSmall] = useState(false);
  const { isPending, error } = upload;
  return (
    <StepFrame
      page={kind}
      previousPage={findPreviousPage(verification, kind)}
      title={texts.question}
      lead={kind === 'selfie' ? 'If you can see it, so can we.' : 'If you can read it, so can we.'}
      foot={
        <>
          {isSmall && (
            <FieldErrorMessage message={`Image too small. Use at least ${VERIFICATION_LIMITS.minPixels} pixels.`} />
          )}
          {error && <InlineError message={error.message} />}
          {isPending && <Progress label={progress < 1 ? 'Sending' : 'Checking'} value={progress * 100} />}
          <Button
            variant="primary"
            size="lg"
            wide
            disabled={isSmall}
            busy={isPending}
            busyText="Sending…"
            onClick={() => upload.mutate(taken.picture)}
          >
            {error ? 'Send again' : 'Use this photo'}
          </Button>
          <Button variant="quiet" wide disabled={isPending} onClick={onRetake}>
            Retake
          </Button>
        </>
      }
    >
      <div className="v-cam" data-shape={kind === 'selfie' ? 'face' : 'card'}>
        <ZoomPicture
          src={taken.url}
          alt={texts.alt}
          brokenMessage="Your browser can’t preview this format, but you can still send it."
          onSize={(width, height) => setSmall(Math.min(width, height) < VERIFICATION_LIMITS.minPixels)}
        />
      </div>
    </StepFrame>
  );
}

function SentStep({
  verification,
  kind,
  texts,
  takenAt,
  now,
  onRetake,
  onContinue,
}: StepProps & { takenAt: string; now: string; onRetake: () => void; onContinue: () => void }) {
  return (
    <StepFrame
      page={kind}
      previousPage={findPreviousPage(verification, kind)}
      title={texts.title}
      lead={`Sent ${lowercaseDayWord(formatDayTime(takenAt, now))}. We keep it encrypted.`}
      foot={
        <>
          <Button variant="primary" size="lg" wide onClick={onContinue}>
            Continue
          </Button>
          <Button variant="quiet" wide onClick={onRetake}>
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
  const [taken, setTaken] = useState<TakenPicture>();
  const [isRetaking, setRetaking] = useState(false);
  const url = taken?.url;
  useEffect(() => () => (url === undefined ? undefined : URL.revokeObjectURL(url)), [url]);
  const step = {
    verification,
    kind,
    texts: getPictureTexts(kind, verification.details?.documentType ?? 'identityCard'),
  };
  const document = findDocument(verification, kind);
  if (taken) return <ReviewStep {...step} taken={taken} onRetake={() => setTaken(undefined)} onSent={onDone} />;
  if (document?.uploadedAt && document.state !== 'rejected' && !isRetaking)
    return (
      <SentStep
        {...step}
        takenAt={document.uploadedAt}
        now={now}
        onRetake={() => setRetaking(true)}
        onContinue={() => onDone(verification)}
      />
    );
  return <CaptureStep {...step} onTaken={(picture) => setTaken({ picture, url: URL.createObjectURL(picture) })} />;
}
