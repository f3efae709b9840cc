/** The dialog to report a user or their content (row J2). */

import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { ReportSubject } from '@stagedoor/contract/trust/case-kinds.ts';
import { submitReport } from '@stagedoor/contract/trust/moderation.ts';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { showToast } from '../../../platform/feedback.ts';
import { api } from '../../../platform/mutation.ts';
import { mayBeLoggedIn, useViewer } from '../../../platform/session.ts';
import { useUnsavedChanges } from '../../../platform/unsaved.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextAreaField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import * as texts from './texts.ts';

/** The reported user and content. For a profile, `typeId` is the user's own id. */
export type ReportTarget = { userId: string; type: ReportSubject; typeId: string };

const MISSING_DATA_MESSAGE = texts.missingDataError;

export function ReportDialog({ target, onClose }: { target: ReportTarget; onClose: () => void }) {
  const viewer = useViewer();
  const [message, setMessage] = useState('');
  const [fieldError, setFieldError] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  const [isSending, setSending] = useState(false);
  useUnsavedChanges(message !== '', isSending);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    if (!viewer || !mayBeLoggedIn() || Object.values(target).some((value) => !value)) {
      void showToast(MISSING_DATA_MESSAGE, 'error');
      return onClose();
    }
    if (message.trim() === '') return setFieldError(texts.messageRequired);
    setSending(true);
    const { userId: reportUserId, type, typeId } = target;
    try {
      const response = await api(
        submitReport,
        { body: { reportUserId, type, typeId, message } },
        { showErrorMessage: false },
      );
      void showToast(response.message, 'success');
      onClose();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFieldError(error.fields.message);
      setRefusal(error.fields.message === undefined ? error.message : undefined);
      setSending(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      locked={isSending}
      title={texts.reportTitle}
      lead={texts.reportLead}
    >
      <form className="form" noValidate onSubmit={(event) => void send(event)}>
        <TextAreaField
          label={texts.message}
          rows={5}
          data-autofocus=""
          counter={CASE_LIMITS.messageLength}
          value={message}
          error={fieldError}
          onChange={(event) => {
            setMessage(event.currentTarget.value);
            setFieldError(undefined);
          }}
        />
        {refusal !== undefined && <InlineError message={refusal} />}
        <Button type="submit" variant="primary" size="lg" wide busy={isSending} busyText="Submitting...">
          {texts.submit}
        </Button>
      </form>
    </Dialog>
  );
}
