import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { addTicketPicture } from '@stagedoor/contract/trust/support.ts';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { UNSAVED_DIALOG, useLeaveGuard } from '../../../platform/leave-guard.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { TextAreaField, TextField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { PictureField, usePictures } from './pictures.tsx';
import * as texts from './texts.ts';

export type TicketMessageInput = { subject: string; message: string; pictures: string[] };

export interface TicketMessageFormProps {
  hasSubject?: boolean;
  label: string;
  button: string;
  /** Rejects with an ApiError, which is shown next to the fields. */
  onSend: (input: TicketMessageInput) => Promise<void>;
}

export function TicketMessageForm({ hasSubject = false, label, button, onSend }: TicketMessageFormProps) {
  const [subject, setSubject] = useState('');
  const [message, setMessage] = useState('');
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});
  const [refusal, setRefusal] = useState<string>();
  const [isSending, setSending] = useState(false);
  const pictures = usePictures(addTicketPicture);
  const hasContent = subject !== '' || message !== '' || pictures.ids.length > 0;
  const leaveGuard = useLeaveGuard(hasContent, isSending, true);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending || pictures.isAdding) return;
    setSending(true);
    setRefusal(undefined);
    try {
      await onSend({ subject, message, pictures: pictures.ids });
      setSubject('');
      setMessage('');
      setFields({});
      pictures.clear();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFields(error.fields);
      setRefusal(Object.keys(error.fields).length > 0 ? undefined : error.message);
    } finally {
      setSending(false);
    }
  };
  return (
    <form className="form" noValidate onSubmit={(event) => void send(event)}>
      {hasSubject && (
        <TextField
          label={texts.topic}
          maxLength={CASE_LIMITS.subjectLength}
          value={subject}
          error={fields.subject}
          onChange={(event) => setSubject(event.currentTarget.value)}
        />
      )}
      <TextAreaField
        label={label}
        rows={5}
        counter={CASE_LIMITS.messageLength}
        value={message}
        error={fields.message}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
      <PictureField upload={pictures} />
      {refusal !== undefined && <InlineError message={refusal} />}
      <Button
        type="submit"
        variant="primary"
        size="lg"
        wide
        busy={isSending}
        busyText={texts.sending}
        disabled={pictures.isAdding}
      >
        {button}
      </Button>
      <ConfirmDialog
        open={leaveGuard.isPrompting}
        onOpenChange={(isOpen) => !isOpen && leaveGuard.stay()}
        {...UNSAVED_DIALOG}
        title={texts.leaveWithoutSendingQuestion}
        lead={texts.unsentMessageHint}
        onConfirm={leaveGuard.leave}
      />
    </form>
  );
}
