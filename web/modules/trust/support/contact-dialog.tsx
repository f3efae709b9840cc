/** The dialog to contact support (row J1). Blocked accounts see the reason of the block in it and send their appeal. */
import { addContactPicture, contactAdmin, contactBody } from '@stagedoor/contract/trust/support.ts';
import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { showToast } from '../../../platform/feedback.ts';
import { validateFields } from '../../../platform/forms.ts';
import { api } from '../../../platform/mutation.ts';
import { useViewer } from '../../../platform/session.ts';
import { useUnsavedChanges } from '../../../platform/unsaved.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { Banner } from '../../../ui/states.tsx';
import { CONTACT_LEAD, CONTACT_TITLE, ContactFields } from './contact-form.tsx';
import { PictureField, usePictures } from './pictures.tsx';
import * as texts from './texts.ts';

const getText = (form: FormData, name: string) => String(form.get(name) ?? '');

export function ContactDialog({
  notice,
  proof,
  onClose,
  onSent,
}: {
  notice?: string | undefined;
  proof?: string | undefined;
  onClose: () => void;
  onSent: () => void;
}) {
  const viewer = useViewer();
  const form = useRef<HTMLFormElement>(null);
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});
  const [refusal, setRefusal] = useState<string>();
  const [isSending, setSending] = useState(false);
  const [isStarted, setStarted] = useState(false);
  useUnsavedChanges(isStarted, isSending);
  const pictures = usePictures(addContactPicture, { proof: proof ?? '' });
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSending || pictures.isAdding) return;
    const formData = new FormData(event.currentTarget);
    const body = {
      ...{ name: getText(formData, 'name'), email: getText(formData, 'email'), details: getText(formData, 'details') },
      ...(proof !== undefined && { proof, pictures: pictures.ids }),
    };
    const errors = validateFields(contactBody, body);
    setFields(errors);
    setRefusal(undefined);
    if (Object.keys(errors).length > 0) return;
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
        onChange={() => setStarted(true)}
        onSubmit={(event) => void send(event)}
      >
        {notice !== undefined && (
          <Banner kind="notice" inline>
            {notice}
          </Banner>
        )}
        <ContactFields values={{ name: viewer?.name, email: viewer?.email }} fields={fields} />
        {proof !== undefined && <PictureField upload={pictures} />}
        {refusal !== undefined && <InlineError message={refusal} />}
        <Button
          type="submit"
          variant="primary"
          size="lg"
          wide
          busy={isSending}
          busyText="Submitting..."
          disabled={pictures.isAdding}
        >
          {texts.submit}
        </Button>
      </form>
    </Dialog>
  );
}
