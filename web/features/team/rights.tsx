import { TEAM_RIGHTS, type TeamRight } from '@stagedoor/contract/atoms/acting.ts';
import { RIGHT_WORDS } from '@stagedoor/contract/team.ts';
import { Checkbox } from '../../ui/choice.tsx';

export const rightsLine = (rights: readonly TeamRight[]): string =>
  TEAM_RIGHTS.filter((right) => rights.includes(right))
    .map((right) => RIGHT_WORDS[right].name)
    .join(', ');

export function RightBoxes({
  chosen,
  onChange,
}: {
  chosen: readonly TeamRight[];
  onChange: (rights: TeamRight[]) => void;
}) {
  return (
    <fieldset className="grid gap-1">
      <legend className="field__label">Permissions</legend>
      {TEAM_RIGHTS.map((right) => (
        <Checkbox
          key={right}
          hint={RIGHT_WORDS[right].text}
          checked={chosen.includes(right)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(TEAM_RIGHTS.filter((other) => (other === right ? checked : chosen.includes(other))))
          }
        >
          {RIGHT_WORDS[right].name}
        </Checkbox>
      ))}
    </fieldset>
  );
}
