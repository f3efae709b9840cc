/** What somebody writes to the help desk: words, and up to a few pictures, each looked at by the server before it is sent along. */
import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import { addTicketPicture } from '@stagedoor/contract/cases.ts';
import { type ChangeEvent, type FormEvent, useId, useState } from 'react';
import { ApiError } from '../../kernel/api-error.ts';
import { api } from '../../kernel/mutation.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { FieldError, TextAreaField, TextField } from '../../ui/field.tsx';
import { Refusal } from '../../ui/refusal.tsx';

type Added = { id: string; name: string };
export type Written = { subject: string; message: string; pictures: string[] };

export interface MessageFormProps {
  hasSubject?: boolean;
  label: string;
  button: string;
  /** Rejects with an ApiError, which is said beside the fields. */
  onSend: (written: Written) => Promise<void>;
}

function usePictures() {
  const [pictures, setPictures] = useState<readonly Added[]>([]);
  const [complaint, setComplaint] = useState<string>();
  const [isAdding, setAdding] = useState(false);
  const add = async ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(input.files ?? [])].slice(0, CASES.pictures - pictures.length);
    input.value = '';
    setComplaint(undefined);
    setAdding(true);
    try {
      for (const file of files) {
        const form = new FormData();
        form.set('file', file);
        const { id } = await api(addTicketPicture, {}, { form, showErrorMessage: false });
        setPictures((before) => [...before, { id, name: file.name }]);
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setComplaint(error.message);
    } finally {
      setAdding(false);
    }
  };
  const remove = (id: string) => setPictures((before) => before.filter((picture) => picture.id !== id));
  return { pictures, complaint, isAdding, add, remove, clear: () => setPictures([]) };
}

export function MessageForm({ hasSubject = false, label, button, onSend }: MessageFormProps) {
  const inputId = useId();
  const [subject, setSubject] = useState('');
  const [message, setMessage] = useState('');
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});
  const [refusal, setRefusal] = useState<string>();
  const [isSending, setSending] = useState(false);
  const { pictures, complaint, isAdding, add, remove, clear } = usePictures();
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending || isAdding) return;
    setSending(true);
    setRefusal(undefined);
    try {
      await onSend({ subject, message, pictures: pictures.map(({ id }) => id) });
      setSubject('');
      setMessage('');
      setFields({});
      clear();
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
          label="What it is about"
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
      <div className="grid gap-2">
        {pictures.length > 0 && (
          <ul className="lines" aria-label="Pictures">
            {pictures.map(({ id, name }) => (
              <li key={id} className="flex items-center justify-between gap-3">
                <bdi className="one-line text-small">{name}</bdi>
                <IconButton icon="close" label={`Leave out ${name}`} onClick={() => remove(id)} />
              </li>
            ))}
          </ul>
        )}
        {pictures.length < CASES.pictures && (
          <label className="btn btn--line w-fit has-focus-visible:outline-2" htmlFor={inputId}>
            {isAdding ? 'Adding…' : 'Add a picture'}
            <input
              id={inputId}
              className="sr-only"
              type="file"
              accept="image/*"
              multiple
              disabled={isAdding}
              onChange={(event) => void add(event)}
            />
          </label>
        )}
        <FieldError message={complaint} />
      </div>
      {refusal !== undefined && <Refusal message={refusal} />}
      <Button type="submit" variant="primary" size="lg" wide busy={isSending} busyText="Sending…" disabled={isAdding}>
        {button}
      </Button>
    </form>
  );
}
