import { TEAM_RIGHT_LABELS } from '@stagedoor/contract/identity/teams.ts';
import { TEAM_RIGHTS, type TeamRight } from '@stagedoor/contract/shared/delegation.ts';
import { Checkbox } from '../../../ui/choice.tsx';
import * as texts from './texts.ts';

export const formatRights = (rights: readonly TeamRight[]): string =>
  TEAM_RIGHTS.filter((right) => rights.includes(right))
    .map((right) => TEAM_RIGHT_LABELS[right].name)
    .join(', ');

export function RightsField({
  selected,
  onChange,
}: {
  selected: readonly TeamRight[];
  onChange: (rights: TeamRight[]) => void;
}) {
  return (
    <fieldset className="grid gap-1">
      <legend className="field__label">{texts.permissions}</legend>
      {TEAM_RIGHTS.map((right) => (
        <Checkbox
          key={right}
          hint={TEAM_RIGHT_LABELS[right].text}
          checked={selected.includes(right)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(TEAM_RIGHTS.filter((other) => (other === right ? checked : selected.includes(other))))
          }
        >
          {TEAM_RIGHT_LABELS[right].name}
        </Checkbox>
      ))}
    </fieldset>
  );
}
