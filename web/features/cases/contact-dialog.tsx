/** The dialog to contact support (row J1). Blocked accounts see the reason of the block in it and send their appeal. */
import { addContactPicture, contactAdmin, contactBody } from '@stagedoor/contract/cases.ts';
import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '../../kernel/api-error.ts';
import { complaints } from '../../kernel/forms.ts';
import { api } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { useViewer } from '../../kernel/session.ts';
import { useStake } from '../../kernel/unsaved.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { Banner } from '../../ui/states.tsx';
import { CONTACT_LEAD, CONTACT_TITLE, ContactFields } from './contact-form.tsx';
import { PictureField, usePictures } from './pictures.tsx';

const textOf = (form: FormData, name: string) => String(form.get(name) ?? '');

export function ContactDialog({
  happened,
  proof,
  onClose,
  onSent,
}: {
  happened?: string | undefined;
  proof?: string | undefined;
  onClose: () => void;
  onSent: () => void;
}) {
  const viewer = useViewer();
  const form = useRef<HTMLFormElement>(null);
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});
  const [refusal, setRefusal] = useState<string>();
  const [isSending, setSending] = useState(false);
  const [isBegun, setBegun] = useState(false);
  useStake(isBegun, isSending);
  const pictures = usePictures(addContactPicture, { proof: proof ?? '' });
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSending || pictures.isAdding) return;
    const given = new FormData(event.currentTarget);
    const body = {
      ...{ name: textOf(given, 'name'), email: textOf(given, 'email'), details: textOf(given, 'details') },
      ...(proof !== undefined && { proof, pictures: pictures.ids }),
    };
    const complained = complaints(contactBody, body);
    setFields(complained);
    setRefusal(undefined);
    if (Object.keys(complained).length > 0) return;
    setSending(true);
    try {
      const { message } = await api(contactAdmin, { body }, { showErrorMessage: false });
      form.current?.reset();
      void showToast(message, 'success');
      onSent();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFields(error.fields);
      setRefusal(Object.keys(error.fields).length > 0 ? undefined : error.message);
      setSending(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      locked={isSending}
      title={CONTACT_TITLE}
      lead={CONTACT_LEAD}
    >
      <form
        ref={form}
        className="form"
        method="post"
        noValidate
        onChange={() => setBegun(true)}
        onSubmit={(event) => void send(event)}
      >
        {happened !== undefined && (
          <Banner kind="notice" inline>
            {happened}
          </Banner>
        )}
        <ContactFields values={{ name: viewer?.name, email: viewer?.email }} fields={fields} />
        {proof !== undefined && <PictureField of={pictures} />}
        {refusal !== undefined && <Refusal message={refusal} />}
        <Button
          type="submit"
          variant="primary"
          size="lg"
          wide
          busy={isSending}
          busyText="Submitting..."
          disabled={pictures.isAdding}
        >
          Submit
        </Button>
      </form>
    </Dialog>
  );
}
