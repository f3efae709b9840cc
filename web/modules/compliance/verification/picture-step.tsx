import {
  type DocumentKind,
  uploadVerificationDocument,
  type Verification,
} from '@stagedoor/contract/compliance/verification.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
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
import * as texts from './texts.ts';
import { getPictureTexts, type PictureTexts } from './verification-labels.ts';
import { ChoosePicture, type ReadyCamera, useCamera, Viewfinder } from './viewfinder.tsx';
import { ZoomPicture } from './zoom-picture.tsx';

const CARD = 'M12.5 10.5h55v35h-55zM20 18h10v14H20zM36 20h24M36 26h18';
const CUT_CARD = 'M-6 8h50v42H-6zM-2 18h12v16H-2zM16 22h22M16 29h16';

function PictureHelp() {
  const pictures = [
    { label: texts.inFrame, icon: 'check', path: CARD },
    { label: texts.cutOff, icon: 'close', path: CUT_CARD },
    { label: texts.glare, icon: 'close', path: CARD, hasGlare: true },
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
  pictureTexts: PictureTexts;
};

function CaptureStep({ verification, kind, pictureTexts, onTaken }: StepProps & { onTaken: (picture: Blob) => void }) {
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
    if (file.size === 0) setError(texts.emptyFileError);
    else if (file.size > VERIFICATION_LIMITS.pictureBytes)
      setError(formatText(texts.photoTooLargeError, { maxSize: formatBytes(VERIFICATION_LIMITS.pictureBytes) }));
    else onTaken(file);
  };
  const reason = findDocument(verification, kind)?.reason;
  return (
    <StepFrame
      page={kind}
      previousPage={findPreviousPage(verification, kind)}
      title={pictureTexts.title}
      lead={pictureTexts.lead}
      foot={
        <>
          <FieldErrorMessage message={error} />
          {camera.state === 'open' ? (
            <Button variant="primary" size="lg" wide disabled={!isReady} onClick={() => void takePhoto()}>
              {texts.takePhoto}
            </Button>
          ) : (
            <Button
              variant="primary"
              size="lg"
              wide
              busy={camera.state === 'opening'}
              busyText={texts.opening}
              onClick={open}
            >
              {camera.state === 'out' ? texts.tryCameraAgain : texts.openCamera}
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
          {formatText(texts.selfieUseNotice, { retentionDays: VERIFICATION_LIMITS.retentionDays })}
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

function ReviewStep({ verification, kind, pictureTexts, taken, onRetake, onSent }: ReviewProps) {
  const { upload, progress } = useUploadPicture(kind, onSent);
  const [isSmall, setSmall] = useState(false);
  const { isPending, error } = upload;
  return (
    <StepFrame
      page={kind}
      previousPage={findPreviousPage(verification, kind)}
      title={pictureTexts.question}
      lead={kind === 'selfie' ? texts.selfieClarityHint : texts.documentClarityHint}
      foot={
        <>
          {isSmall && (
            <FieldErrorMessage
              message={formatText(texts.imageTooSmallError, { minPixels: VERIFICATION_LIMITS.minPixels })}
            />
          )}
          {error && <InlineError message={error.message} />}
          {isPending && (
            <Progress label={progress < 1 ? texts.sendingProgress : texts.checkingProgress} value={progress * 100} />
          )}
          <Button
            variant="primary"
            size="lg"
            wide
            disabled={isSmall}
            busy={isPending}
            busyText={texts.sending}
            onClick={() => upload.mutate(taken.picture)}
          >
            {error ? texts.sendAgain : texts.useThisPhoto}
          </Button>
          <Button variant="quiet" wide disabled={isPending} onClick={onRetake}>
            {texts.retake}
          </Button>
        </>
      }
    >
      <div className="v-cam" data-shape={kind === 'selfie' ? 'face' : 'card'}>
        <ZoomPicture
          src={taken.url}
          alt={pictureTexts.alt}
          brokenMessage={texts.noPreviewNotice}
          onSize={(width, height) => setSmall(Math.min(width, height) < VERIFICATION_LIMITS.minPixels)}
        />
      </div>
    </StepFrame>
  );
}

function SentStep({
  verification,
  kind,
  pictureTexts,
  takenAt,
  now,
  onRetake,
  onContinue,
}: StepProps & { takenAt: string; now: string; onRetake: () => void; onContinue: () => void }) {
  return (
    <StepFrame
      page={kind}
      previousPage={findPreviousPage(verification, kind)}
      title={pictureTexts.title}
      lead={formatText(texts.photoSent, { sentAt: lowercaseDayWord(formatDayTime(takenAt, now)) })}
      foot={
        <>
          <Button variant="primary" size="lg" wide onClick={onContinue}>
            {texts.continueButton}
          </Button>
          <Button variant="quiet" wide onClick={onRetake}>
            {texts.retake}
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
    pictureTexts: getPictureTexts(kind, verification.details?.documentType ?? 'identityCard'),
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
