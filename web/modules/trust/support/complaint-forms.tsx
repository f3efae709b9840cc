import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { FormRefusal } from '../../../platform/form-action.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/choice.tsx';
import { TextAreaField, TextField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import * as texts from './texts.ts';

type ComplaintFormProps = { refusal: FormRefusal | undefined; isSending: boolean };

export function ComplaintFields({ where, refusal, isSending }: ComplaintFormProps & { where: string | undefined }) {
  const { values = {}, fields = {}, message } = refusal ?? {};
  return (
    <>
      <TextField
        label={texts.urlOrLocation}
        hint={texts.locationHint}
        name="where"
        required
        defaultValue={values.where ?? where}
        error={fields.where}
      />
      <TextAreaField
        label={texts.whatIsWrong}
        name="details"
        rows={6}
        required
        counter={CASE_LIMITS.messageLength}
        defaultValue={values.details}
        error={fields.details}
      />
      <TextField
        label={texts.yourName}
        name="name"
        autoComplete="name"
        required
        defaultValue={values.name}
        error={fields.name}
      />
      <TextField
        label={texts.email}
        hint={texts.complaintEmailHint}
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
        {texts.goodFaithStatement}
      </Checkbox>
      {message !== undefined && <InlineError message={message} />}
      <Button type="submit" variant="primary" size="lg" wide busy={isSending} busyText="Submitting...">
        {texts.submitComplaint}
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
        label={texts.referenceNumber}
        hint={texts.referenceExample}
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
      <Button type="submit" size="lg" wide busy={isSending} busyText={texts.checking}>
        {texts.checkStatus}
      </Button>
    </>
  );
}
