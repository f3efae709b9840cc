import { useState } from 'react';
import { Checkbox, RadioRows, Segmented, Switch } from '../choice.tsx';
import { SelectField, TextAreaField, TextField } from '../field.tsx';
import { PasswordField } from '../password-field.tsx';
import { Toggletip } from '../popover.tsx';
import { SearchForm } from '../search-form.tsx';
import { TokenField } from '../token-field.tsx';
import { GalleryLine, Group, type ThemeProps } from './group.tsx';

function Tokens({ theme }: ThemeProps) {
  const [values, setValues] = useState(['stoneware', 'wood-firing', 'a-tag-of-forty-characters-which-is-a-lot']);
  return (
    <>
      <TokenField label={`Tags, ${theme}`} hint="Enter adds one." values={values} onChange={setValues} max={20} />
      <TokenField label={`Full, ${theme}`} values={['one', 'two']} onChange={() => undefined} max={2} />
    </>
  );
}

export function FieldGallery({ theme }: ThemeProps) {
  return (
    <>
      <Group title="Fields">
        <TextField label="Name on your account" required defaultValue="Rosalind Achterberg" autoComplete="off" />
        <TextField label="Email" type="email" placeholder="you@example.org" hint="Receipts go here." />
        <TextField
          label="Email"
          type="email"
          defaultValue="rosalind@"
          error="That address is incomplete. Add what comes after the @."
          required
        />
        <div className="form__pair">
          <PasswordField label="Password" defaultValue="correct horse" hint="At least 10 characters." required />
          <TextField label="Price" prefix="$" inputMode="decimal" defaultValue="12.00" hint="You get $9.60." />
        </div>
        <TextField label="Disabled" disabled defaultValue="Not yours to change" />
        <TextField label="Read only" readOnly defaultValue="https://example.org/r/8F2K" />
        <TextAreaField
          label="Caption"
          counter={4000}
          defaultValue="Wood-fired stoneware from a shared kiln by the river."
          hint="Line breaks stay."
        />
        <TextAreaField
          label="Short"
          counter={20}
          defaultValue="This is longer than twenty characters"
          error="Shorten it to 20 characters."
          rows={2}
        />
        <SelectField
          label="Country"
          placeholder="Choose one"
          options={[
            { value: 'pt', label: 'Portugal' },
            { value: 'vn', label: 'Việt Nam' },
          ]}
        />
        <TextField label="Picture" type="file" />
        <Tokens theme={theme} />
        <SearchForm action="#search" placeholder="Search a name, a craft, a city" label={`Search, ${theme}`} />
        <p>
          Fee{' '}
          <Toggletip label="What is the fee?">
            What the card processor keeps. It is shown before you pay, and never changes afterwards.
          </Toggletip>
        </p>
      </Group>
      <Group title="Choices">
        <Segmented
          name={`kind-${theme}`}
          label="Account kind"
          defaultValue="one"
          options={[
            { value: 'one', label: 'I’m a guest' },
            { value: 'two', label: 'I’m a host' },
          ]}
        />
        <div>
          <Checkbox name="terms" defaultChecked>
            I am 18 or over and accept the terms and the refund rules.
          </Checkbox>
          <Checkbox name="news" hint="At most one a month.">
            Send me news
          </Checkbox>
          <Checkbox name="must" error="Accept the terms to go on.">
            I accept the terms
          </Checkbox>
          <Checkbox name="off" disabled defaultChecked>
            Disabled
          </Checkbox>
        </div>
        <RadioRows
          name={`pack-${theme}`}
          label="How many credits?"
          defaultValue="30"
          choices={[
            { value: '30', title: '30 credits', sub: '$300.00 of balance', end: '$306.00' },
            { value: '60', title: '60 credits', sub: '$600.00 of balance', end: '$612.00' },
            { value: '90', title: '90 credits', sub: 'Above the provider’s limit', end: '$918.00', disabled: true },
          ]}
        />
        <GalleryLine>
          <Switch label="Taking calls" defaultChecked />
          <Switch label="Off" />
          <Switch label="Disabled" disabled />
        </GalleryLine>
        <Switch row label="Quiet hours" hint="22:00 to 08:00, nothing rings." defaultChecked />
      </Group>
    </>
  );
}
