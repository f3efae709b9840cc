/** `npm run configure`: writes a file with all settings of production and fresh secrets. */
import { resolve } from 'node:path';
import { ENV_FILE, writeEnvFile } from './lib/env-file.mjs';
import { runMain } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';

await runMain(async ([file]) => {
  await enterRuntime();
  const target = file === undefined ? ENV_FILE : resolve(process.env.INIT_CWD ?? '', file);
  writeEnvFile(target);
  console.log(`${target} has new secrets and all settings. Fill in the second part, then run npm start.`);
  if (target !== ENV_FILE)
    console.log('Commands read .env of this folder. For another file use systemd’s EnvironmentFile.');
});
