/** Mail: sent by SMTP as a job when SMTP_URL is set, else kept for the development mailbox. Either way in the caller's transaction. */
import { randomUUID } from 'node:crypto';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import * as z from 'zod/mini';
import type { Config } from './config.ts';
import type { Executor, Statement } from './db.ts';
import { type Jobs, job } from './jobs.ts';
import { seal, unseal } from './seal.ts';

/** `headers` beyond those that every mail has. Of `isOnlyWay` are those without which whoever waits for it cannot go on. */
export type Mail = { to: string; subject: string; text: string; headers?: Record<string, string>; isOnlyWay?: boolean };

export interface Mailer {
  /**
   * Sends after the caller's transaction commits. Plain text: nobody needs more to follow a link. In production without a mail server
   * it throws UNAVAILABLE for what `isOnlyWay`; all else goes without: nobody is kept out, and no deposit waits, for a mail that tells of it.
   */
  send(tx: Executor, mail: Mail): Promise<void>;
}

const headers = z.record(z.string(), z.string());

/**
 * Whether a mail server that was cut off had taken the mail is not to be known: it is sent again, so it can come twice. Its id
 * is the same then, by which many mail programs show it once.
 */
const SEND = job(
  'mail.send',
  z.object({
    id: z.string(),
    to: z.string(),
    subject: z.string(),
    sealed: z.optional(z.string()),
    sealedHeaders: z.optional(z.string()),
    /** What was queued before mails were sealed, and before their heads were. */
    text: z.optional(z.string()),
    headers: z.optional(headers),
  }),
);
const KEEP: Statement = {
  name: 'mail-keep',
  text: 'insert into development_mail (recipient, subject, body) values ($1, $2, $3)',
};

/** What went wrong, as nodemailer and SMTP name it: `EENVELOPE 550`. */
function smtpCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
  return 'responseCode' in error && typeof error.responseCode === 'number' ? `${code} ${error.responseCode}` : code;
}

/** How long a mail server may take to be there, to greet, and to say anything at all, in ms. */
const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 };
/** Mails wait for each other alone: a server that hangs holds up nothing but them. */
const [LANE, AT_ONCE] = ['mail', 4];

/** What a mail's sealed head belongs to. */
const ofHeaders = (id: string) => `${id} headers`;

export function createMailer(config: Config, jobs: Jobs): Mailer {
  if (!config.smtpUrl) {
    return {
      send: async (tx, mail) => {
        if (config.isProduction && mail.isOnlyWay)
          throw new AppError('UNAVAILABLE', { message: 'No mail can be sent at the moment.' });
        if (!config.isProduction) await tx.run(KEEP, [mail.to, mail.subject, mail.text]);
      },
    };
  }
  const { smtpUrl } = config;
  // Fetched with the first mail: a server that sends none needs no 25 MB for it.
  // A relay on the same machine may go without: `?requireTLS=false` in its address.
  const options = { url: smtpUrl, requireTLS: config.isProduction, ...PATIENCE };
  const openTransport = async () => (await import('nodemailer')).createTransport(options);
  let opened: ReturnType<typeof openTransport> | undefined;
  const host = /@([^\s>]+)/.exec(config.mailFrom)?.[1] ?? 'localhost';
  const key = config.deriveKey('mail');
  jobs.define(
    SEND,
    async ({ id, sealed, sealedHeaders, text: queued = '', ...mail }) => {
      const text = sealed === undefined ? queued : unseal(key, id, Buffer.from(sealed, 'base64'));
      const head =
        sealedHeaders !== undefined &&
        z.parse(headers, JSON.parse(unseal(key, ofHeaders(id), Buffer.from(sealedHeaders, 'base64'))));
      opened ??= openTransport();
      const transport = await opened;
      try {
        await transport.sendMail({
          from: config.mailFrom,
          messageId: `<${id}@${host}>`,
          ...mail,
          ...(head && { headers: head }),
          text,
        });
      } catch (error) {
        // The mail server's words name who should have got it, and a job's failure is kept and logged.
        throw new Error(`mail could not be sent: ${smtpCode(error)}`);
      }
    },
    LANE,
    { atOnce: AT_ONCE },
  );
  return {
    send: (tx, { text, headers: head, isOnlyWay: _, ...mail }) => {
      const id = randomUUID();
      // Links in it let somebody in, those in its head do something, and a job that failed lies there for long.
      const sealed = seal(key, id, text).toString('base64');
      const sealedHeaders = head && seal(key, ofHeaders(id), JSON.stringify(head)).toString('base64');
      return jobs.add(tx, SEND, { id, ...mail, sealed, sealedHeaders }, { maxAttempts: 10 });
    },
  };
}
