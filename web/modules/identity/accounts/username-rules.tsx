/** Shows the username rules (row A13) in a dialog that works without script. */
import { USERNAME_RULES } from '@stagedoor/contract/identity/accounts.ts';
import { PopoverSheet, PopoverTrigger } from '../../../ui/popover.tsx';
import * as texts from './texts.ts';

const ID = 'username-rules';

export function UsernameRules() {
  return (
    <>
      <PopoverTrigger for={ID} className="link -my-3 inline-flex min-h-11 items-center">
        {texts.usernameRules}
      </PopoverTrigger>
      <PopoverSheet id={ID} title={texts.usernameRules}>
        <ul className="prose list-disc pl-5">
          {USERNAME_RULES.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      </PopoverSheet>
    </>
  );
}
