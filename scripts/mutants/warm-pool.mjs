/**
 * A pool for vitest that loads the server once and runs the tests of every mutant in that one process. Stryker starts
 * vitest's tests once per mutant, and the pools that come with vitest load every module again each time. That is safe
 * to skip, because the mutants of a file are all in the loaded code and a global variable switches one of them on.
 */
import { EventEmitter } from 'node:events';
import { ForksPoolWorker } from 'vitest/node';

const RESPONSE = { __vitest_worker_response__: true };

let warm;

class WarmPoolWorker extends ForksPoolWorker {
  name = 'warm';
  #emitter = new EventEmitter();
  #forward = {
    message: (value) => this.#emitter.emit('message', value),
    exit: (code) => this.#emitter.emit('exit', code),
  };

  on(event, callback) {
    if (event === 'error') super.on(event, callback);
    else this.#emitter.on(event, callback);
  }

  off(event, callback) {
    if (event === 'error') super.off(event, callback);
    else this.#emitter.off(event, callback);
  }

  async start() {
    if (warm?.connected) this._fork = warm;
    await super.start();
    warm = this.fork;
    for (const [event, listener] of Object.entries(this.#forward)) warm.on(event, listener);
  }

  /** The process survives the run, so a request to stop is acknowledged here. */
  send(message) {
    if (message.type === 'stop') this.#emitter.emit('message', { ...RESPONSE, type: 'stopped' });
    else super.send(message);
  }

  async stop() {
    for (const [event, listener] of Object.entries(this.#forward)) warm?.off(event, listener);
    this.fork.stdout?.unpipe(this.stdout);
    this.fork.stderr?.unpipe(this.stderr);
  }
}

/** A vitest plugin. Stryker accepts only the names of vitest's own pools, so the pool is replaced after its options. */
export const warmPool = {
  name: 'warm-pool',
  configureVitest({ vitest, project }) {
    project.config.pool = 'warm';
    project.config.poolRunner = { name: 'warm', createPoolWorker: (options) => new WarmPoolWorker(options) };
    vitest.onClose(() => warm?.kill());
  },
};
