/** The dialog to report a user or their content (row J2). */
import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import type { Subject } from '@stagedoor/contract/case-kinds.ts';
import { submitReport } from '@stagedoor/contract/cases.ts';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../kernel/api-error.ts';
import { api } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { mayBeLoggedIn, useViewer } from '../../kernel/session.ts';
import { useStake } from '../../kernel/unsaved.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextAreaField } from '../../ui/field.tsx';
import { Refusal } from '../../ui/refusal.tsx';

/** The reported user and content. For a profile, `typeId` is the user's own id. */
export type ReportTarget = { userId: string; type: Subject; typeId: string };

const MISSING = 'Required data not found.';

export function ReportDialog({ target, onClose }: { target: ReportTarget; onClose: () => void }) {
  const viewer = useViewer();
  const [message, setMessage] = useState('');
  const [complaint, setComplaint] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  const [isSending, setSending] = useState(false);
  useStake(message !== '', isSending);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    if (!viewer || !mayBeLoggedIn() || Object.values(target).some((given) => !given)) {
      void showToast(MISSING, 'error');
      return onClose();
    }
    if (message.trim() === '') return setComplaint('Please enter message');
    setSending(true);
    const { userId: reportUserId, type, typeId } = target;
    try {
      const answer = await api(
        submitReport,
        { body: { reportUserId, type, typeId, message } },
        { showErrorMessage: false },
      );
      void showToast(answer.message, 'success');
      onClose();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setComplaint(error.fields.message);
      setRefusal(error.fields.message === undefined ? error.message : undefined);
      setSending(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      locked={isSending}
      title="Submit report with details"
      lead="Our team reviews every report. The person you report won’t know who reported them."
    >
      <form className="form" noValidate onSubmit={(event) => void send(event)}>
        <TextAreaField
          label="Message"
          rows={5}
          data-autofocus=""
          counter={CASES.messageLength}
          value={message}
          error={complaint}
          onChange={(event) => {
            setMessage(event.currentTarget.value);
            setComplaint(undefined);
          }}
        />
        {refusal !== undefined && <Refusal message={refusal} />}
        <Button type="submit" variant="primary" size="lg" wide busy={isSending} busyText="Submitting...">
          Submit
        </Button>
      </form>
    </Dialog>
  );
}
