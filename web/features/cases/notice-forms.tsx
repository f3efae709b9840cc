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
        hint="Whoever posted it is told this name, as the law has it."
        name="name"
        autoComplete="name"
        required
        defaultValue={values.name}
        error={fields.name}
      />
      <TextField
        label="Email"
        hint="We answer there. With it and the number you see how it stands."
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
        hint="For us alone."
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
        hint="For us alone. With the country’s code."
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
        label="The work that is yours"
        hint="What it is, whose it is, and where it is to be seen."
        name="work"
        rows={5}
        required
        counter={CASES.messageLength}
        defaultValue={values.work}
        error={fields.work}
      />
      <TextAreaField
        label="Where it is here"
        hint={`The addresses of posts or profiles, one a line, ${COPYRIGHT.places} at most.`}
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
        I believe in good faith that neither the owner, their agent nor the law allows this use.
      </Checkbox>
      <Checkbox
        name="isAccurate"
        value="true"
        required
        defaultChecked={values.isAccurate === 'true'}
        error={fields.isAccurate}
      >
        This notice is accurate and, under penalty of perjury, I own the right or act for who does.
      </Checkbox>
      <TextField
        label="Signature"
        hint="Your name, typed, is your signature."
        name="signature"
        autoComplete="off"
        required
        defaultValue={values.signature}
        error={fields.signature}
      />
      {message !== undefined && <Refusal message={message} />}
      <Button type="submit" variant="primary" size="lg" wide busy={isSending} busyText="Submitting...">
        Send the notice
      </Button>
    </>
  );
}
