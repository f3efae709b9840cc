/**
 * The fields of a DMCA counter-notice. With script they are shown below the decision, without it on the page that the
 * email links to.
 */
import { CASES, COPYRIGHT } from '@stagedoor/contract/atoms/room-limits.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import { Refusal } from '../../ui/refusal.tsx';

export interface CounterFieldsProps {
  claimant: string;
  values?: Readonly<Record<string, string>>;
  fields?: Readonly<Record<string, string>>;
  message?: string | undefined;
  busy: boolean;
}

export function CounterFields({ claimant, values = {}, fields = {}, message, busy }: CounterFieldsProps) {
  const bind = (name: string) => ({ name, required: true, defaultValue: values[name], error: fields[name] });
  const box = (name: string) => ({
    ...{ name, value: 'true', required: true, error: fields[name] },
    defaultChecked: values[name] === 'true',
  });
  return (
    <>
      <p className="text-small">
        All of this will be shared with <bdi>{claimant}</bdi>, including your name and address, as required by law.
      </p>
      <TextAreaField label="Why was this a mistake?" rows={4} counter={CASES.messageLength} {...bind('statement')} />
      <TextField label="Your full name" autoComplete="name" {...bind('name')} />
      <TextAreaField
        label="Postal address"
        autoComplete="street-address"
        rows={3}
        maxLength={COPYRIGHT.addressLength}
        {...bind('address')}
      />
      <TextField
        label="Telephone"
        hint="Include the country code."
        type="tel"
        autoComplete="tel"
        inputMode="tel"
        {...bind('telephone')}
      />
      <Checkbox {...box('isMistake')}>
        I swear, under penalty of perjury, that I have a good faith belief that the material was removed by mistake or
        misidentification.
      </Checkbox>
      <Checkbox {...box('isConsenting')}>
        I consent to the jurisdiction of the federal court for my district (or, outside the US, where Stagedoor is
        located) and will accept service of process from the claimant.
      </Checkbox>
      <TextField
        label="Signature"
        hint="Typing your name counts as your signature."
        autoComplete="off"
        {...bind('signature')}
      />
      {message !== undefined && <Refusal message={message} />}
      <Button type="submit" variant="ink" busy={busy} busyText="Sending…">
        Submit counter-notice
      </Button>
    </>
  );
}

/** Converts form values into the request body. An unticked checkbox means no. */
export function counterOf(values: Readonly<Record<string, string>>) {
  const { name = '', address = '', telephone = '', signature = '', statement = '' } = values;
  return {
    ...{ name, address, telephone, signature, statement },
    isMistake: values.isMistake === 'true',
    isConsenting: values.isConsenting === 'true',
  };
}
