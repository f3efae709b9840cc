import { listMail } from '@stagedoor/contract/identity/dev-mailbox.ts';
import { type ClientLoaderFunctionArgs, data, type LoaderFunctionArgs, useSearchParams } from 'react-router';
import type { PageHandle } from '../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../platform/page-data.ts';
import { apiQuery, useApi } from '../platform/query.ts';
import { requestContextKey } from '../platform/request-context.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { EmptyState } from '../ui/states.tsx';

const toMailRequest = (to: string | null) => ({ query: to ? { to } : {} });
const load: PageLoad<null> = async ({ client, url }) => {
  await client.fetchQuery(apiQuery(listMail, toMailRequest(url.searchParams.get('to'))));
  return null;
};
export function loader(args: LoaderFunctionArgs) {
  if (!args.context.get(requestContextKey).isDevelopment) throw data(null, { status: 404 });
  return loadOnServer(args, load);
}
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);
export const handle: PageHandle = { width: 'column' };
export const meta = () => [{ title: 'Mailbox · Stagedoor' }];

export default function Mailbox() {
  const [search] = useSearchParams();
  const to = search.get('to');
  const { data: mails } = useApi(listMail, toMailRequest(to));
  return (
    <>
      <h1 className="display d2 mt-8 mb-6">Mailbox</h1>
      <form className="form mb-8">
        <TextField
          label="To"
          name="to"
          type="email"
          defaultValue={to ?? ''}
          hint="Development only: without SMTP, mail waits here."
        />
        <Button type="submit">Show</Button>
      </form>
      {mails.length === 0 && <EmptyState line="No mail yet." />}
      {mails.map((mail) => (
        <article key={mail.id} className="border-t border-line py-6" aria-labelledby={`mail-${mail.id}`}>
          <h2 id={`mail-${mail.id}`} className="display d4">
            {mail.subject}
          </h2>
          <p className="text-note text-muted mb-4">
            To {mail.to} · <time dateTime={mail.createdAt}>{mail.createdAt.slice(0, 19).replace('T', ' ')}</time>
          </p>
          <p className="whitespace-pre-wrap">{mail.text}</p>
          <ul className="mt-4">
            {mail.links.map((link) => (
              <li key={link}>
                <a className="link break-all" href={link}>
                  {link}
                </a>
              </li>
            ))}
          </ul>
        </article>
      ))}
    </>
  );
}
