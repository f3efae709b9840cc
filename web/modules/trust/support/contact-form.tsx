/** The contact fields (rows J1, V5), shared by the page, which sends them as a form, and the dialog. */
import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { TextAreaField, TextField } from '../../../ui/field.tsx';

export const CONTACT_TITLE = 'Contact us';
export const CONTACT_LEAD = 'Please provide below details for further process your account';

export type ContactFieldsProps = {
  values: Readonly<Record<string, string | undefined>>;
  fields: Readonly<Record<string, string | undefined>>;
};

/** The fields are uncontrolled. New `values` reset them. */
export function ContactFields({ values, fields }: ContactFieldsProps) {
  return (
    <>
      <TextField label="Name" name="name" autoComplete="name" required defaultValue={values.name} error={fields.name} />
      <TextField
        label="Email"
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
        label="Details"
        name="details"
        rows={6}
        required
        counter={CASE_LIMITS.messageLength}
        defaultValue={values.details}
        error={fields.details}
      />
    </>
  );
}
