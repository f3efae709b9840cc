/** The pages, rendered by the web package's build inside this server. */
import type { FastifyInstance } from 'fastify';
import type { Context } from './kernel/context.ts';

export async function mountPages(_server: { app: FastifyInstance; ctx: Context }): Promise<void> {}
