/** Opens a case about a user or content. What the operator saw is stored as a note. */

import type { CaseView } from '@stagedoor/contract/admin/cases.ts';
import { REASON_LENGTH } from '@stagedoor/contract/admin/processor-webhooks.ts';
import { getAdminUser, openUserCase } from '@stagedoor/contract/admin/search.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { casePath } from '@stagedoor/contract/trust/case-addresses.ts';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { useUnsavedChanges } from '../../../../platform/unsaved.ts';
import { Button } from '../../../../ui/button.tsx';
import { TextAreaField } from '../../../../ui/field.tsx';
import { InlineError } from '../../../../ui/inline-error.tsx';
import { createReasonField, useAdminAction } from '../use-admin-action.ts';
import * as texts from './texts.ts';

type OpenedCase = { id: string; reference: string; isNew: boolean };

export const formatOpenedCase = ({ reference, isNew }: OpenedCase) =>
  isNew ? formatText(texts.caseOpened, { reference }) : formatText(texts.caseAlreadyOpen, { reference });

export function useNavigateToCase() {
  const navigate = useNavigate();
  return ({ id }: OpenedCase) => void navigate(casePath(id));
}

export interface OpenCaseFormProps {
  label: string;
  question: string;
  busy: boolean;
  error: string | undefined;
  onOpen: (reason: string) => void;
}

export function OpenCaseForm({ label, question, busy, error, onOpen }: OpenCaseFormProps) {
  const [reason, setReason] = useState('');
  useUnsavedChanges(reason !== '', busy);
  const trimmedReason = reason.trim();
  const isReasonValid = trimmedReason.length >= REASON_LENGTH.min && trimmedReason.length <= REASON_LENGTH.max;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isReasonValid) onOpen(trimmedReason);
  };
  return (
    <form className="form max-w-120" onSubmit={send} aria-label={label}>
      <TextAreaField
        {...createReasonField(question, texts.caseNoteHint)}
        rows={2}
        counter={REASON_LENGTH.max}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {error !== undefined && <InlineError message={error} />}
      <Button
        type="submit"
        className="justify-self-start"
        disabled={!isReasonValid}
        busy={busy}
        busyText={texts.opening}
      >
        {texts.openACase}
      </Button>
    </form>
  );
}

export function OpenUserCaseForm({
  id,
  sourceCaseId,
}: {
  id: NonNullable<CaseView['about']>['id'];
  sourceCaseId?: CaseView['id'];
}) {
  const onDone = useNavigateToCase();
  const openCase = useAdminAction(openUserCase, {
    invalidates: [getAdminUser],
    successMessage: formatOpenedCase,
    onDone,
  });
  if (!openCase.isAllowed) return null;
  const form = (
    <OpenCaseForm
      label={texts.openCaseAboutUser}
      question={texts.whatDidTheyDo}
      busy={openCase.isPending}
      error={openCase.error}
      onOpen={(reason) =>
        openCase.send({ params: { id }, body: { reason, ...(sourceCaseId !== undefined && { sourceCaseId }) } })
      }
    />
  );
  if (sourceCaseId === undefined) return form;
  return (
    <details className="text-small">
      <summary className="inline-flex min-h-11 cursor-pointer items-center underline underline-offset-4">
        {texts.openCaseAboutUser}
      </summary>
      {form}
    </details>
  );
}
