/** What operators have stopped, as the document was told: whoever would be refused is told before they press. */
import type { SwitchName } from '@stagedoor/contract/atoms/switches.ts';
import { useRouteLoaderData } from 'react-router';

export type Stopped = Readonly<Partial<Record<SwitchName, string>>>;

/** The words for it while it is stopped. */
export function useStopped(name: SwitchName): string | undefined {
  return useRouteLoaderData<() => { stopped?: Stopped }>('root')?.stopped?.[name];
}
