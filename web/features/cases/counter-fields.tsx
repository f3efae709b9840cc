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
        All of this goes to <bdi>{claimant}</bdi>, as the law has it, your name and address too.
      </p>
      <TextAreaField label="Why it was a mistake" rows={4} counter={CASES.messageLength} {...bind('statement')} />
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
        hint="With the country’s code."
        type="tel"
        autoComplete="tel"
        inputMode="tel"
        {...bind('telephone')}
      />
      <Checkbox {...box('isMistake')}>
        Under penalty of perjury, I believe in good faith that it was removed by mistake, or taken for something else.
      </Checkbox>
      <Checkbox {...box('isConsenting')}>
        I agree to the federal court where I live, or where Stagedoor is if I live outside of the United States, and
        take papers from whoever sent the notice.
      </Checkbox>
      <TextField
        label="Signature"
        hint="Your name, typed, is your signature."
        autoComplete="off"
        {...bind('signature')}
      />
      {message !== undefined && <Refusal message={message} />}
      <Button type="submit" variant="ink" busy={busy} busyText="Sending…">
        Send the counter-notice
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
