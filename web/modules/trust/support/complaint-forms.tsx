import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { FormRefusal } from '../../../platform/form-action.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/choice.tsx';
import { TextAreaField, TextField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';

type ComplaintFormProps = { refusal: FormRefusal | undefined; isSending: boolean };

export function ComplaintFields({ where, refusal, isSending }: ComplaintFormProps & { where: string | undefined }) {
  const { values = {}, fields = {}, message } = refusal ?? {};
  return (
    <>
      <TextField
        label="URL or location"
        hint="Paste the link or tell us where you saw it."
        name="where"
        required
        defaultValue={values.where ?? where}
        error={fields.where}
      />
      <TextAreaField
        label="What’s wrong?"
        name="details"
        rows={6}
        required
        counter={CASE_LIMITS.messageLength}
        defaultValue={values.details}
        error={fields.details}
      />
      <TextField
        label="Your name"
        name="name"
        autoComplete="name"
        required
        defaultValue={values.name}
        error={fields.name}
      />
      <TextField
        label="Email"
        hint="We’ll reply here. Use it with your reference number to check the status."
        name="email"
        type="email"
        autoComplete="email"
        inputMode="email"
        spellCheck={false}
        required
        defaultValue={values.email}
        error={fields.email}
      />
      <Checkbox name="isGoodFaith" value="true" required error={fields.isGoodFaith}>
        I’m submitting this in good faith and it’s accurate to the best of my knowledge.
      </Checkbox>
      {message !== undefined && <InlineError message={message} />}
      <Button type="submit" variant="primary" size="lg" wide busy={isSending} busyText="Submitting...">
        Submit complaint
      </Button>
    </>
  );
}

export function StatusFields({
  emailLabel,
  reference,
  refusal,
  isSending,
}: ComplaintFormProps & { emailLabel: string; reference: string | undefined }) {
  const { values = {}, fields = {}, message } = refusal ?? {};
  return (
    <>
      <TextField
        label="Reference number"
        hint="For example SD-7K2M-9QXV"
        name="reference"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        required
        defaultValue={values.reference ?? reference}
        error={fields.reference}
      />
      <TextField
        label={emailLabel}
        name="email"
        type="email"
        autoComplete="email"
        inputMode="email"
        spellCheck={false}
        required
        defaultValue={values.email}
        error={fields.email}
      />
      {message !== undefined && <InlineError message={message} />}
      <Button type="submit" size="lg" wide busy={isSending} busyText="Checking…">
        Check status
      </Button>
    </>
  );
}
