import { randomUUID } from 'node:crypto';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import * as z from 'zod/mini';
import type { Config } from './config.ts';
import type { Executor, Statement } from './db.ts';
import { type Jobs, job } from './jobs.ts';
import { seal, unseal } from './seal.ts';

/** `headers` are additional headers. `isOnlyWay` marks mails without which the recipient cannot continue. */
export type Mail = { to: string; subject: string; text: string; headers?: Record<string, string>; isOnlyWay?: boolean };

export interface Mailer {
  /**
   * Sends plain text after the caller's transaction commits. In production without a mail server it throws UNAVAILABLE
   * for `isOnlyWay` mails and drops all others.
   */
  send(tx: Executor, mail: Mail): Promise<void>;
}

const headers = z.record(z.string(), z.string());

/**
 * When the connection breaks it is unknown whether the server took the mail, so it is sent again with the same id, by
 * which many programs show it once.
 */
const SEND = job(
  'mail.send',
  z.object({
    id: z.string(),
    to: z.string(),
    subject: z.string(),
    sealed: z.optional(z.string()),
    sealedHeaders: z.optional(z.string()),
    text: z.optional(z.string()),
    headers: z.optional(headers),
  }),
);
const KEEP: Statement = {
  name: 'mail-keep',
  text: 'insert into development_mail (recipient, subject, body) values ($1, $2, $3)',
};

function smtpCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
  return 'responseCode' in error && typeof error.responseCode === 'number' ? `${code} ${error.responseCode}` : code;
}

const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 };
/** A queue of its own, so that a server that hangs delays only mails. */
const [LANE, AT_ONCE] = ['mail', 4];

const ofHeaders = (id: string) => `${id} headers`;

export function createMailer(config: Config, jobs: Jobs): Mailer {
  if (!config.smtpUrl) {
    return {
      send: async (tx, mail) => {
        if (config.isProduction && mail.isOnlyWay)
          throw new AppError('UNAVAILABLE', { message: 'We can’t send email right now. Try again later.' });
        if (!config.isProduction) await tx.run(KEEP, [mail.to, mail.subject, mail.text]);
      },
    };
  }
  const { smtpUrl } = config;
  // Loaded with the first mail because it takes 25 MB. A relay on the same machine may do without TLS:
  // `?requireTLS=false` in SMTP_URL.
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
        // The message of the mail server names the recipient, and job failures are stored and logged.
        throw new Error(`mail could not be sent: ${smtpCode(error)}`);
      }
    },
    LANE,
    { atOnce: AT_ONCE },
  );
  return {
    send: (tx, { text, headers: head, isOnlyWay: _, ...mail }) => {
      const id = randomUUID();
      // Encrypted, because links in text and headers act for the recipient and failed jobs are stored for long.
      const sealed = seal(key, id, text).toString('base64');
      const sealedHeaders = head && seal(key, ofHeaders(id), JSON.stringify(head)).toString('base64');
      return jobs.add(tx, SEND, { id, ...mail, sealed, sealedHeaders }, { maxAttempts: 10 });
    },
  };
}
