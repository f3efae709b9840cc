/**
 * The public copyright notice form. It needs neither an account nor script and requests exactly what a valid notice
 * must contain.
 */
import { CASES, COPYRIGHT } from '@stagedoor/contract/atoms/room-limits.ts';
import type { Refused } from '../../kernel/form-action.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import { Refusal } from '../../ui/refusal.tsx';

type Fields = { values: Readonly<Record<string, string>>; fields: Readonly<Record<string, string>> };

function WhoFields({ values, fields }: Fields) {
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
        maxLength={COPYRIGHT.addressLength}
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
  places,
  refused,
  isSending,
}: {
  places: string | undefined;
  refused: Refused | undefined;
  isSending: boolean;
}) {
  const { values = {}, fields = {}, message } = refused ?? {};
  return (
    <>
      <TextAreaField
        label="Your copyrighted work"
        hint="Describe the work, its owner and where it can be found."
        name="work"
        rows={5}
        required
        counter={CASES.messageLength}
        defaultValue={values.work}
        error={fields.work}
      />
      <TextAreaField
        label="Where it appears on Stagedoor"
        hint={`Links to posts or profiles, one per line, up to ${COPYRIGHT.places}.`}
        name="places"
        rows={3}
        spellCheck={false}
        required
        defaultValue={values.places ?? places}
        error={fields.places}
      />
      <WhoFields values={values} fields={fields} />
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
      {message !== undefined && <Refusal message={message} />}
      <Button type="submit" variant="primary" size="lg" wide busy={isSending} busyText="Submitting...">
        Submit notice
      </Button>
    </>
  );
}
