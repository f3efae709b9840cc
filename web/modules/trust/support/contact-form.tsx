/** The contact fields (rows J1, V5), shared by the page, which sends them as a form, and the dialog. */
import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { TextAreaField, TextField } from '../../../ui/field.tsx';
import * as texts from './texts.ts';

export const CONTACT_TITLE = texts.contactUs;
export const CONTACT_LEAD = texts.contactFormHint;

export type ContactFieldsProps = {
  values: Readonly<Record<string, string | undefined>>;
  fields: Readonly<Record<string, string | undefined>>;
};

/** The fields are uncontrolled. New `values` reset them. */
export function ContactFields({ values, fields }: ContactFieldsProps) {
  return (
    <>
      <TextField
        label={texts.name}
        name="name"
        autoComplete="name"
        required
        defaultValue={values.name}
        error={fields.name}
      />
      <TextField
        label={texts.email}
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
        label={texts.details}
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
