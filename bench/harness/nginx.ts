/**
 * Runs nginx as a reference file server in a folder of the bench. Benches that need it are skipped if it is not
 * installed.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Child, trackProcess } from './child.ts';
import { getProcessTreeCpuMs } from './cpu.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

/**
 * Serves `root` with one worker, because the product is one process too. Returns undefined when nginx is not installed.
 */
export async function startNginx(folder: string, root: string): Promise<Child | undefined> {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const port = await freePort();
  const dir = join(folder, 'nginx');
  mkdirSync(dir, { recursive: true });
  for (const path of [folder, dir, root]) chmodSync(path, 0o755);
  const conf = join(dir, 'nginx.conf');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    conf,
    `${user} worker_processes 1; daemon off; pid ${dir}/pid; error_log stderr crit;
events { worker_connections 256; }
http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; client_body_temp_path ${dir}; proxy_temp_path ${dir};
  fastcgi_temp_path ${dir}; uwsgi_temp_path ${dir}; scgi_temp_path ${dir};
  server { listen 127.0.0.1:${port}; root ${root}; } }`,
  );
  const child = spawn('nginx', ['-c', conf, '-p', dir], { stdio: ['ignore', 'ignore', 'inherit'] });
  trackProcess(child);
  const { pid = 0 } = child;
  for (let tries = 0; tries < 100; tries += 1) {
    if (
      await fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      )
    )
      break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    port,
    request: () => Promise.reject(new Error('nginx handles no requests')),
    usage: async () => ({ cpuMs: getProcessTreeCpuMs(pid), rssMb: 0 }),
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
