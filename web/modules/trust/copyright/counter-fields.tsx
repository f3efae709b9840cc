/**
 * The fields of a DMCA counter-notice. With script they are shown below the decision, without it on the page that the
 * email links to.
 */
import { CASE_LIMITS, COPYRIGHT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/choice.tsx';
import { TextAreaField, TextField } from '../../../ui/field.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { InlineError } from '../../../ui/inline-error.tsx';
import * as texts from './texts.ts';

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
      <p className="text-small">{formatNodes(texts.sharedWithClaimantHint, { claimantName: <bdi>{claimant}</bdi> })}</p>
      <TextAreaField
        label={texts.whyWasThisAMistake}
        rows={4}
        counter={CASE_LIMITS.messageLength}
        {...bindField('statement')}
      />
      <TextField label={texts.yourFullName} autoComplete="name" {...bindField('name')} />
      <TextAreaField
        label={texts.postalAddress}
        autoComplete="street-address"
        rows={3}
        maxLength={COPYRIGHT_LIMITS.addressLength}
        {...bindField('address')}
      />
      <TextField
        label={texts.telephone}
        hint={texts.countryCodeHint}
        type="tel"
        autoComplete="tel"
        inputMode="tel"
        {...bindField('telephone')}
      />
      <Checkbox {...bindCheckbox('isMistake')}>{texts.mistakeOath}</Checkbox>
      <Checkbox {...bindCheckbox('isConsenting')}>{texts.jurisdictionConsent}</Checkbox>
      <TextField label={texts.signature} hint={texts.signatureHint} autoComplete="off" {...bindField('signature')} />
      {message !== undefined && <InlineError message={message} />}
      <Button type="submit" variant="ink" busy={busy} busyText={texts.sending}>
        {texts.submitCounterNotice}
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
