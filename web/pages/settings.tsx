/** A person's own settings, for either role. */
import type { PageHandle } from '../kernel/page.ts';
import { pageMeta } from '../kernel/meta.ts';
import type { MetaArgs } from 'react-router';

export const handle: PageHandle = { width: 'column' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Settings' });

export default function Settings() {
  return <h1 className="display d2 mt-8">Settings</h1>;
}
