import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import { addTicketPicture } from '@stagedoor/contract/cases.ts';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../kernel/api-error.ts';
import { UNSAVED_WORDS, useUnsaved } from '../../kernel/leaving.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { PictureField, usePictures } from './pictures.tsx';

export type Written = { subject: string; message: string; pictures: string[] };

export interface MessageFormProps {
  hasSubject?: boolean;
  label: string;
  button: string;
  /** Rejects with an ApiError, which is shown next to the fields. */
  onSend: (written: Written) => Promise<void>;
}

export function MessageForm({ hasSubject = false, label, button, onSend }: MessageFormProps) {
  const [subject, setSubject] = useState('');
  const [message, setMessage] = useState('');
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});
  const [refusal, setRefusal] = useState<string>();
  const [isSending, setSending] = useState(false);
  const pictures = usePictures(addTicketPicture);
  const isWritten = subject !== '' || message !== '' || pictures.ids.length > 0;
  const leaving = useUnsaved(isWritten, isSending, true);
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
          label="Topic"
          maxLength={CASES.subjectLength}
          value={subject}
          error={fields.subject}
          onChange={(event) => setSubject(event.currentTarget.value)}
        />
      )}
      <TextAreaField
        label={label}
        rows={5}
        counter={CASES.messageLength}
        value={message}
        error={fields.message}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
      <PictureField of={pictures} />
      {refusal !== undefined && <Refusal message={refusal} />}
      <Button
        type="submit"
        variant="primary"
        size="lg"
        wide
        busy={isSending}
        busyText="Sending…"
        disabled={pictures.isAdding}
      >
        {button}
      </Button>
      <ConfirmDialog
        open={leaving.isAsked}
        onOpenChange={(isOpen) => !isOpen && leaving.stay()}
        {...UNSAVED_WORDS}
        title="Leave without sending?"
        lead="You haven’t sent this yet."
        onConfirm={leaving.leave}
      />
    </form>
  );
}
