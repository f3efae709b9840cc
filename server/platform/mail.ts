import { randomUUID } from 'node:crypto';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import * as z from 'zod/mini';
import type { Config } from './config.ts';
import type { Executor, SqlStatement } from './database/db.ts';
import { defineJob, type Jobs } from './jobs/jobs.ts';
import { decryptText, encryptContent } from './security/encryption.ts';

/** `headers` are additional headers. `isEssential` marks mails without which the recipient cannot continue. */
export type Mail = {
  to: string;
  subject: string;
  text: string;
  headers?: Record<string, string>;
  isEssential?: boolean;
};

export interface Mailer {
  /**
   * Sends plain text after the caller's transaction commits. In production without a mail server it throws UNAVAILABLE
   * for `isEssential` mails and drops all others.
   */
  send(tx: Executor, mail: Mail): Promise<void>;
}

const headers = z.record(z.string(), z.string());

/**
 * When the connection breaks it is unknown whether the server took the mail, so it is sent again with the same id, by
 * which many programs show it once.
 */
const SEND = defineJob(
  'mail.send',
  z.object({
    id: z.string(),
    to: z.string(),
    subject: z.string(),
    encryptedText: z.optional(z.string()),
    encryptedHeaders: z.optional(z.string()),
    text: z.optional(z.string()),
    headers: z.optional(headers),
  }),
);
const STORE_DEVELOPMENT_MAIL: SqlStatement = {
  name: 'mail-store',
  text: 'insert into development_mail (recipient, subject, body) values ($1, $2, $3)',
};

function smtpCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
  return 'responseCode' in error && typeof error.responseCode === 'number' ? `${code} ${error.responseCode}` : code;
}

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 };
/** A queue of its own, so that a server that hangs delays only mails. */
const [QUEUE, CONCURRENCY] = ['mail', 4];

const toHeadersContext = (id: string) => `${id} headers`;

export function createMailer(config: Config, jobs: Jobs): Mailer {
  if (!config.smtpUrl) {
    return {
      send: async (tx, mail) => {
        if (config.isProduction && mail.isEssential)
          throw new AppError('UNAVAILABLE', { message: 'We can’t send email right now. Try again later.' });
        if (!config.isProduction) await tx.run(STORE_DEVELOPMENT_MAIL, [mail.to, mail.subject, mail.text]);
      },
    };
  }
  const { smtpUrl } = config;
  // Loaded with the first mail because it takes 25 MB. A relay on the same machine may do without TLS:
  // `?requireTLS=false` in SMTP_URL.
  const options = { url: smtpUrl, requireTLS: config.isProduction, ...TIMEOUTS };
  const openTransport = async () => (await import('nodemailer')).createTransport(options);
  let transportPromise: ReturnType<typeof openTransport> | undefined;
  const host = /@([^\s>]+)/.exec(config.mailFrom)?.[1] ?? 'localhost';
  const key = config.deriveKey('mail');
  jobs.define(
    SEND,
    async ({ id, encryptedText, encryptedHeaders, text: queuedText = '', ...mail }) => {
      const text =
        encryptedText === undefined ? queuedText : decryptText(key, id, Buffer.from(encryptedText, 'base64'));
      const decryptedHeaders =
        encryptedHeaders !== undefined &&
        z.parse(headers, JSON.parse(decryptText(key, toHeadersContext(id), Buffer.from(encryptedHeaders, 'base64'))));
      transportPromise ??= openTransport();
      const transport = await transportPromise;
      try {
        await transport.sendMail({
          from: config.mailFrom,
          messageId: `<${id}@${host}>`,
          ...mail,
          ...(decryptedHeaders && { headers: decryptedHeaders }),
          text,
        });
      } catch (error) {
        // The message of the mail server names the recipient, and job failures are stored and logged.
        throw new Error(`mail could not be sent: ${smtpCode(error)}`);
      }
    },
    QUEUE,
    { concurrency: CONCURRENCY },
  );
  return {
    send: (tx, { text, headers: plainHeaders, isEssential: _, ...mail }) => {
      const id = randomUUID();
      // Encrypted, because links in text and headers act for the recipient and failed jobs are stored for long.
      const encryptedText = encryptContent(key, id, text).toString('base64');
      const encryptedHeaders =
        plainHeaders && encryptContent(key, toHeadersContext(id), JSON.stringify(plainHeaders)).toString('base64');
      return jobs.add(tx, SEND, { id, ...mail, encryptedText, encryptedHeaders }, { maxAttempts: 10 });
    },
  };
}
