/**
 * The fields of a DMCA counter-notice. With script they are shown below the decision, without it on the page that the
 * email links to.
 */
import { CASE_LIMITS, COPYRIGHT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/choice.tsx';
import { TextAreaField, TextField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';

export interface CounterFieldsProps {
  claimant: string;
  values?: Readonly<Record<string, string>>;
  fields?: Readonly<Record<string, string>>;
  message?: string | undefined;
  busy: boolean;
}

export function CounterFields({ claimant, values = {}, fields = {}, message, busy }: CounterFieldsProps) {
  const bindField = (name: string) => ({ name, required: true, defaultValue: values[name], error: fields[name] });
  const bindCheckbox = (name: string) => ({
    ...{ name, value: 'true', required: true, error: fields[name] },
    defaultChecked: values[name] === 'true',
  });
  return (
    <>
      <p className="text-small">
        All of this will be shared with <bdi>{claimant}</bdi>, including your name and address, as required by law.
      </p>
      <TextAreaField
        label="Why was this a mistake?"
        rows={4}
        counter={CASE_LIMITS.messageLength}
        {...bindField('statement')}
      />
      <TextField label="Your full name" autoComplete="name" {...bindField('name')} />
      <TextAreaField
        label="Postal address"
        autoComplete="street-address"
        rows={3}
        maxLength={COPYRIGHT_LIMITS.addressLength}
        {...bindField('address')}
      />
      <TextField
        label="Telephone"
        hint="Include the country code."
        type="tel"
        autoComplete="tel"
        inputMode="tel"
        {...bindField('telephone')}
      />
      <Checkbox {...bindCheckbox('isMistake')}>
        I swear, under penalty of perjury, that I have a good faith belief that the material was removed by mistake or
        misidentification.
      </Checkbox>
      <Checkbox {...bindCheckbox('isConsenting')}>
        I consent to the jurisdiction of the federal court for my district (or, outside the US, where Stagedoor is
        located) and will accept service of process from the claimant.
      </Checkbox>
      <TextField
        label="Signature"
        hint="Typing your name counts as your signature."
        autoComplete="off"
        {...bindField('signature')}
      />
      {message !== undefined && <InlineError message={message} />}
      <Button type="submit" variant="ink" busy={busy} busyText="Sending…">
        Submit counter-notice
      </Button>
    </>
  );
}

/** Converts form values into the request body. An unticked checkbox means no. */
export function toCounterNoticeBody(values: Readonly<Record<string, string>>) {
  const { name = '', address = '', telephone = '', signature = '', statement = '' } = values;
  return {
    ...{ name, address, telephone, signature, statement },
    isMistake: values.isMistake === 'true',
    isConsenting: values.isConsenting === 'true',
  };
}
