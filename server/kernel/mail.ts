/** Mail: sent by SMTP as a job when SMTP_URL is set, else kept for the development mailbox. Either way in the caller's transaction. */
import { createTransport } from 'nodemailer';
import * as z from 'zod/mini';
import type { Config } from './config.ts';
import type { Executor, Statement } from './db.ts';
import { type Jobs, job } from './jobs.ts';

export type Mail = { to: string; subject: string; text: string };

export interface Mailer {
  /** Sends after the caller's transaction commits. Plain text: nobody needs more to follow a link. */
  send(tx: Executor, mail: Mail): Promise<void>;
}

const SEND = job('mail.send', z.object({ to: z.string(), subject: z.string(), text: z.string() }));
const KEEP: Statement = {
  name: 'mail-keep',
  text: 'insert into development_mail (recipient, subject, body) values ($1, $2, $3)',
};

export function createMailer(config: Config, jobs: Jobs): Mailer {
  if (!config.smtpUrl) {
    return {
      send: async (tx, mail) => {
        if (config.isProduction) throw new Error('mail cannot be sent: SMTP_URL is not set');
        await tx.run(KEEP, [mail.to, mail.subject, mail.text]);
      },
    };
  }
  const transport = createTransport(config.smtpUrl);
  jobs.define(SEND, async (mail) => {
    await transport.sendMail({ from: config.mailFrom, ...mail });
  });
  return { send: (tx, mail) => jobs.add(tx, SEND, mail, { maxAttempts: 10 }) };
}
