import {
  readAgreement,
  signAgreement,
  submitVerification,
  type Verification,
} from '@stagedoor/contract/verification.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ApiError } from '../../kernel/api-error.ts';
import { formatExact } from '../../kernel/dates.ts';
import { api } from '../../kernel/mutation.ts';
import { routeKey } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { agreementQuery, useKeepVerification, verificationQuery } from './queries.ts';
import type { Strokes } from './signature.ts';
import { SignaturePad } from './signature-pad.tsx';
import { StepFrame } from './step-frame.tsx';
import { placeBefore } from './steps.ts';

const silent = { showErrorMessage: false } as const;

function Paper() {
  const id = useId();
  const [isWhole, setWhole] = useState(false);
  const { data, isError, isFetching, refetch } = useQuery(agreementQuery());
  if (!data) {
    if (isError && !isFetching) return <ErrorState onRetry={() => void refetch()} />;
    return <Skeleton className="mt-4 h-48" />;
  }
  return (
    <>
      <section
        id={id}
        className="v-paper"
        data-open={isWhole ? '' : undefined}
        aria-label="Creator agreement"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        tabIndex={0}
      >
        {data.sections.map(({ title, text }, index) => [
          <h2 key={title} className="font-semibold">
            {index + 1}. {title}
          </h2>,
          <p key={`${title}, text`}>{text}</p>,
        ])}
      </section>
      <Button
        variant="quiet"
        className="-ml-2.5 underline underline-offset-4"
        aria-expanded={isWhole}
        aria-controls={id}
        onClick={() => setWhole(!isWhole)}
      >
        {isWhole ? 'Close' : `Read all ${data.sections.length} sections`}
      </Button>
    </>
  );
}

type Signature = { strokes: Strokes; typed: string };

function useHandIn(verification: Verification, onDone: (verification: Verification) => void) {
  const client = useQueryClient();
  const keep = useKeepVerification();
  return useMutation({
    mutationFn: async ({ strokes, typed }: Signature) => {
      let now = verification;
      if (now.legalStatus !== 'accepted') {
        const { version } = await client.ensureQueryData(agreementQuery());
        const signedAs = typed.trim() || now.details?.legalName || '';
        const lines = strokes.map((line) => line.map(([x, y]): [number, number] => [x, y]));
        now = await api(signAgreement, { body: { version, signedAs, strokes: lines } }, silent);
        keep(now);
      }
      if (now.status === 'verified') return now;
      return api(submitVerification, {}, silent);
    },
    onSuccess: (answer) => {
      keep(answer);
      onDone(answer);
    },
    onError: (error) => {
      if (!(error instanceof ApiError) || error.code !== 'CONFLICT') return;
      // Another tab was faster, or the agreement has a newer version. The current state is shown.
      void client.invalidateQueries({ queryKey: routeKey(readAgreement) });
      void client.invalidateQueries({ queryKey: verificationQuery().queryKey });
    },
  });
}

export interface AgreementStepProps {
  verification: Verification;
  onDone: (verification: Verification) => void;
}

export function AgreementStep({ verification, onDone }: AgreementStepProps) {
  const [strokes, setStrokes] = useState<Strokes>([]);
  const [typed, setTyped] = useState('');
  const [isUnsigned, setUnsigned] = useState(false);
  const handIn = useHandIn(verification, onDone);
  const { legalStatus, details, status, agreement } = verification;
  const isSigned = legalStatus === 'accepted';
  const isLast = status === 'verified';
  const nameError = handIn.error instanceof ApiError ? handIn.error.fields.signedAs : undefined;
  const hasName = typed.trim() !== '' || (strokes.length > 0 && details !== null);
  const send = () => {
    setUnsigned(!hasName);
    if (isSigned || hasName) handIn.mutate({ strokes, typed });
  };
  return (
    <StepFrame
      place="agreement"
      before={placeBefore(verification, 'agreement')}
      caption={isLast ? 'Agreement' : undefined}
      title={isSigned ? 'Ready to submit' : 'Read and sign'}
      lead={
        isSigned && agreement.signedAt
          ? `Signed ${formatExact(agreement.signedAt)}.`
          : legalStatus === 'outdated' && 'The agreement has changed since you signed it.'
      }
      foot={
        <>
          {handIn.error && nameError === undefined && <Refusal message={handIn.error.message} />}
          {!isSigned && hasName && (
            <p className="text-small text-muted">
              Signed as <bdi>{typed.trim() || details?.legalName}</bdi>
            </p>
          )}
          <Button variant="primary" size="lg" wide busy={handIn.isPending} busyText="Sending…" onClick={send}>
            {isSigned ? 'Submit' : isLast ? 'Sign' : 'Sign and submit'}
          </Button>
        </>
      }
    >
      <Paper />
      {!isSigned && (
        <>
          <SignaturePad strokes={strokes} onChange={setStrokes} />
          <TextField
            className="pt-4"
            label={details ? 'Or type your full legal name' : 'Your full legal name'}
            autoComplete="name"
            dir="auto"
            maxLength={100}
            value={typed}
            error={isUnsigned && !hasName ? 'Sign above or type your full legal name.' : nameError}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </>
      )}
    </StepFrame>
  );
}
