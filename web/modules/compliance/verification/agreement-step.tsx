import {
  getCreatorAgreement,
  signAgreement,
  submitVerification,
  type Verification,
} from '@stagedoor/contract/compliance/verification.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { formatExactTime } from '../../../platform/dates.ts';
import { api } from '../../../platform/mutation.ts';
import { routeKey } from '../../../platform/query.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { InlineError } from '../../../ui/inline-error.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { agreementQuery, useSetVerification, verificationQuery } from './queries.ts';
import type { Strokes } from './signature.ts';
import { SignaturePad } from './signature-pad.tsx';
import { StepFrame } from './step-frame.tsx';
import { findPreviousPage } from './steps.ts';
import * as texts from './texts.ts';

const silent = { showErrorMessage: false } as const;

function AgreementText() {
  const id = useId();
  const [isExpanded, setExpanded] = useState(false);
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
        data-open={isExpanded ? '' : undefined}
        aria-label={texts.creatorAgreement}
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
        aria-expanded={isExpanded}
        aria-controls={id}
        onClick={() => setExpanded(!isExpanded)}
      >
        {isExpanded ? texts.close : formatText(texts.readAllSections, { sectionCount: data.sections.length })}
      </Button>
    </>
  );
}

type SignatureInput = { strokes: Strokes; typedName: string };

function useSubmitVerification(verification: Verification, onDone: (verification: Verification) => void) {
  const client = useQueryClient();
  const setCached = useSetVerification();
  return useMutation({
    mutationFn: async ({ strokes, typedName }: SignatureInput) => {
      let current = verification;
      if (current.legalStatus !== 'accepted') {
        const { version } = await client.ensureQueryData(agreementQuery());
        const signedAs = typedName.trim() || current.details?.legalName || '';
        const points = strokes.map((stroke) => stroke.map(([x, y]): [number, number] => [x, y]));
        current = await api(signAgreement, { body: { version, signedAs, strokes: points } }, silent);
        setCached(current);
      }
      if (current.status === 'verified') return current;
      return api(submitVerification, {}, silent);
    },
    onSuccess: (response) => {
      setCached(response);
      onDone(response);
    },
    onError: (error) => {
      if (!(error instanceof ApiError) || error.code !== 'CONFLICT') return;
      // Another tab was faster, or the agreement has a newer version. The current state is shown.
      void client.invalidateQueries({ queryKey: routeKey(getCreatorAgreement) });
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
  const [typedName, setTypedName] = useState('');
  const [isSignatureMissing, setSignatureMissing] = useState(false);
  const submission = useSubmitVerification(verification, onDone);
  const { legalStatus, details, status, agreement } = verification;
  const isSigned = legalStatus === 'accepted';
  const isLast = status === 'verified';
  const nameError = submission.error instanceof ApiError ? submission.error.fields.signedAs : undefined;
  const hasName = typedName.trim() !== '' || (strokes.length > 0 && details !== null);
  const send = () => {
    setSignatureMissing(!hasName);
    if (isSigned || hasName) submission.mutate({ strokes, typedName });
  };
  return (
    <StepFrame
      page="agreement"
      previousPage={findPreviousPage(verification, 'agreement')}
      caption={isLast ? texts.agreement : undefined}
      title={isSigned ? texts.readyToSubmit : texts.readAndSign}
      lead={
        isSigned && agreement.signedAt
          ? formatText(texts.signedOn, { signedAt: formatExactTime(agreement.signedAt) })
          : legalStatus === 'outdated' && texts.agreementChanged
      }
      foot={
        <>
          {submission.error && nameError === undefined && <InlineError message={submission.error.message} />}
          {!isSigned && hasName && (
            <p className="text-small text-muted">
              {formatNodes(texts.signedAs, { typedName: <bdi>{typedName.trim() || details?.legalName}</bdi> })}
            </p>
          )}
          <Button variant="primary" size="lg" wide busy={submission.isPending} busyText={texts.sending} onClick={send}>
            {isSigned ? texts.submit : isLast ? texts.sign : texts.signAndSubmit}
          </Button>
        </>
      }
    >
      <AgreementText />
      {!isSigned && (
        <>
          <SignaturePad strokes={strokes} onChange={setStrokes} />
          <TextField
            className="pt-4"
            label={details ? texts.typeLegalNameOption : texts.yourFullLegalName}
            autoComplete="name"
            dir="auto"
            maxLength={100}
            value={typedName}
            error={isSignatureMissing && !hasName ? texts.signatureRequired : nameError}
            onChange={({ currentTarget }) => setTypedName(currentTarget.value)}
          />
        </>
      )}
    </StepFrame>
  );
}
