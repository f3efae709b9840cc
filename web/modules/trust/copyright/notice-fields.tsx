/**
 * The public copyright notice form. It needs neither an account nor script and requests exactly what a valid notice
 * must contain.
 */
import { CASE_LIMITS, COPYRIGHT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { FormRefusal } from '../../../platform/form-action.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/choice.tsx';
import { TextAreaField, TextField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';

type NoticeFormState = { values: Readonly<Record<string, string>>; fields: Readonly<Record<string, string>> };

function ClaimantFields({ values, fields }: NoticeFormState) {
  return (
    <>
      <TextField
        label="Your name"
        hint="We share this name with the person who posted it, as required by law."
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
      <TextAreaField
        label="Postal address"
        hint="Only visible to us."
        name="address"
        autoComplete="street-address"
        rows={3}
        maxLength={COPYRIGHT_LIMITS.addressLength}
        required
        defaultValue={values.address}
        error={fields.address}
      />
      <TextField
        label="Telephone"
        hint="Only visible to us. Include the country code."
        name="telephone"
        type="tel"
        autoComplete="tel"
        inputMode="tel"
        required
        defaultValue={values.telephone}
        error={fields.telephone}
      />
    </>
  );
}

export function NoticeFields({
  urls,
  refusal,
  isSending,
}: {
  urls: string | undefined;
  refusal: FormRefusal | undefined;
  isSending: boolean;
}) {
  const { values = {}, fields = {}, message } = refusal ?? {};
  return (
    <>
      <TextAreaField
        label="Your copyrighted work"
        hint="Describe the work, its owner and where it can be found."
        name="work"
        rows={5}
        required
        counter={CASE_LIMITS.messageLength}
        defaultValue={values.work}
        error={fields.work}
      />
      <TextAreaField
        label="Where it appears on Stagedoor"
        hint={`Links to posts or profiles, one per line, up to ${COPYRIGHT_LIMITS.urls}.`}
        name="urls"
        rows={3}
        spellCheck={false}
        required
        defaultValue={values.urls ?? urls}
        error={fields.urls}
      />
      <ClaimantFields values={values} fields={fields} />
      <Checkbox
        name="isGoodFaith"
        value="true"
        required
        defaultChecked={values.isGoodFaith === 'true'}
        error={fields.isGoodFaith}
      >
        I have a good faith belief that this use is not authorized by the copyright owner, its agent or the law.
      </Checkbox>
      <Checkbox
        name="isAccurate"
        value="true"
        required
        defaultChecked={values.isAccurate === 'true'}
        error={fields.isAccurate}
      >
        This notice is accurate and, under penalty of perjury, I am the owner or authorized to act for the owner.
      </Checkbox>
      <TextField
        label="Signature"
        hint="Typing your name counts as your signature."
        name="signature"
        autoComplete="off"
        required
        defaultValue={values.signature}
        error={fields.signature}
      />
      {message !== undefined && <InlineError message={message} />}
      <Button type="submit" variant="primary" size="lg" wide busy={isSending} busyText="Submitting...">
        Submit notice
      </Button>
    </>
  );
}
