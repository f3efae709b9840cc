/**
 * The public copyright notice form. It needs neither an account nor script and requests exactly what a valid notice
 * must contain.
 */

import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CASE_LIMITS, COPYRIGHT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { FormRefusal } from '../../../platform/form-action.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/choice.tsx';
import { TextAreaField, TextField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import * as texts from './texts.ts';

type NoticeFormState = { values: Readonly<Record<string, string>>; fields: Readonly<Record<string, string>> };

function ClaimantFields({ values, fields }: NoticeFormState) {
  return (
    <>
      <TextField
        label={texts.yourName}
        hint={texts.nameHint}
        name="name"
        autoComplete="name"
        required
        defaultValue={values.name}
        error={fields.name}
      />
      <TextField
        label={texts.email}
        hint={texts.emailHint}
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
        label={texts.postalAddress}
        hint={texts.onlyVisibleToUs}
        name="address"
        autoComplete="street-address"
        rows={3}
        maxLength={COPYRIGHT_LIMITS.addressLength}
        required
        defaultValue={values.address}
        error={fields.address}
      />
      <TextField
        label={texts.telephone}
        hint={texts.telephoneHint}
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
        label={texts.yourCopyrightedWork}
        hint={texts.workHint}
        name="work"
        rows={5}
        required
        counter={CASE_LIMITS.messageLength}
        defaultValue={values.work}
        error={fields.work}
      />
      <TextAreaField
        label={texts.whereItAppearsOnStagedoor}
        hint={formatText(texts.linksHint, { maximum: COPYRIGHT_LIMITS.urls })}
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
        {texts.goodFaithStatement}
      </Checkbox>
      <Checkbox
        name="isAccurate"
        value="true"
        required
        defaultChecked={values.isAccurate === 'true'}
        error={fields.isAccurate}
      >
        {texts.accuracyStatement}
      </Checkbox>
      <TextField
        label={texts.signature}
        hint={texts.signatureHint}
        name="signature"
        autoComplete="off"
        required
        defaultValue={values.signature}
        error={fields.signature}
      />
      {message !== undefined && <InlineError message={message} />}
      <Button type="submit" variant="primary" size="lg" wide busy={isSending} busyText="Submitting...">
        {texts.submitNotice}
      </Button>
    </>
  );
}
