// OpenFeature's SDKs as applications use them, against a running `tacit serve`:
//
//   TACIT_URL=http://127.0.0.1:8080 TACIT_OPERATOR_KEY=tacit_operator_... node test.mjs
//
// Makes experiments of its own. Exits 0 when everything is as it should be; else the first thing that is not is printed.

import assert from 'node:assert/strict';
import { OpenFeature as OnServer } from '@openfeature/server-sdk';
import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OpenFeature as OnPage } from '@openfeature/web-sdk';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';

const url = process.env.TACIT_URL;
const operator = process.env.TACIT_OPERATOR_KEY;
assert(url && operator, 'TACIT_URL and TACIT_OPERATOR_KEY must be set');

async function call(key, method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : undefined };
}

async function made(path, body) {
  const answer = await call(operator, 'POST', path, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}

async function until(what, condition) {
  for (let i = 0; i < 300; ++i) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(`waited half a minute for ${what}`);
}

// What was here before does not matter: names are new each time.
const run = process.pid.toString(36) + Date.now().toString(36);
const button = `button-${run}`;
const layout = `layout-${run}`;
await made('/v1/populations', { name: `visitors-${run}`, epsilon: 10 });
await made('/v1/populations', { name: `members-${run}`, epsilon: 10, user_level: true });
await made('/v1/experiments', {
  name: button,
  population: `visitors-${run}`,
  arms: ['blue', 'green'],
  epsilon: 1,
  wait: '3s',
  phase_max_age: '1s',
  sticky_for: '3s',
  fallback: 'green',
});
await made('/v1/experiments', {
  name: layout,
  population: `members-${run}`,
  arms: [{ name: 'wide', value: { columns: 3 } }, { name: 'narrow', value: { columns: 2 } }],
  user: { epsilon: 2, cap: 2 },
  wait: '1h',
});
const app = (await made('/v1/keys', { role: 'app', note: 'a server' })).key;
const page = (await made('/v1/keys', { role: 'client', note: 'a page' })).key;

// ---- on a server

const bearer = (key) => [['Authorization', `Bearer ${key}`]];
await OnServer.setProviderAndWait('app', new OFREPProvider({ baseUrl: url, headers: bearer(app) }));
await OnServer.setProviderAndWait('header', new OFREPProvider({ baseUrl: url, headers: [['X-API-Key', app]] }));
await OnServer.setProviderAndWait('nobody', new OFREPProvider({ baseUrl: url, headers: bearer('tacit_app_x_y') }));
const server = OnServer.getClient('app');
const user = { targetingKey: 'user-1', plan: 'free', nested: { deep: [1, 2, { three: 3 }] } };

const first = await server.getStringDetails(button, 'none', user);
assert.equal(first.errorCode, undefined, first.errorMessage);
assert.equal(first.reason, 'SPLIT');
assert.ok(['blue', 'green'].includes(first.value));
assert.equal(first.variant, first.value);
assert.equal(first.flagMetadata['tacit.epsilon'], 1);
assert.equal(typeof first.flagMetadata['tacit.version'], 'number');
assert.ok(Date.parse(first.flagMetadata['tacit.deadline']) > 0);

const again = await OnServer.getClient('header').getStringDetails(button, 'none', user);
assert.equal(again.flagMetadata['tacit.event'], first.flagMetadata['tacit.event'], 'it sticks');
const other = await server.getStringDetails(button, 'none', { targetingKey: 'user-2' });
assert.notEqual(other.flagMetadata['tacit.event'], first.flagMetadata['tacit.event']);

const object = await server.getObjectDetails(layout, {}, user);
assert.deepEqual(object.value, { columns: object.variant === 'wide' ? 3 : 2 });
assert.equal(object.flagMetadata['tacit.epsilon'], 1, 'epsilon / cap');

const unknown = await server.getStringDetails('no-such-flag', 'none', user);
assert.deepEqual([unknown.value, unknown.errorCode], ['none', 'FLAG_NOT_FOUND']);
const keyless = await server.getObjectDetails(layout, {}, {});
assert.deepEqual([keyless.value, keyless.errorCode], [{}, 'TARGETING_KEY_MISSING']);
const mistyped = await server.getNumberDetails(button, 7, user);
assert.deepEqual([mistyped.value, mistyped.errorCode], [7, 'TYPE_MISMATCH']);
const refused = await OnServer.getClient('nobody').getStringDetails(button, 'none', user);
assert.equal(refused.value, 'none');
assert.equal(refused.reason, 'ERROR');

async function answered(key, event, value) {
  const answer = await call(key, 'POST', '/v1/outcomes', { event, value });
  assert.equal(answer.status, 202, JSON.stringify(answer.body));
  assert.deepEqual(answer.body, {});
}

// Outcomes by the event in the metadata; the second report of one is answered as the first is.
await answered(app, first.flagMetadata['tacit.event'], 1);
await answered(app, first.flagMetadata['tacit.event'], 0);
for (let visitor = 0; visitor < 50; ++visitor) {
  const { value, flagMetadata } = await server.getStringDetails(button, 'none', { targetingKey: `v${visitor}` });
  await answered(app, flagMetadata['tacit.event'], value === 'green' ? 1 : 0);
}
await until('a release', async () => {
  const view = await call(operator, 'GET', `/v1/experiments/${button}`);
  return view.body.version > 0 && view.body.decisions >= 52;
});
const later = await server.getStringDetails(button, 'none', { targetingKey: 'user-3' });
assert.ok(later.flagMetadata['tacit.version'] > 0);

// ---- on a page: all flags at once, shown or not

const statuses = [];
const provider = new OFREPWebProvider({
  baseUrl: url,
  headers: bearer(page),
  cacheMode: 'disabled',
  changeDetection: 'none',
  fetchImplementation: async (...request) => {
    const response = await fetch(...request);
    statuses.push(response.status);
    return response;
  },
});
// Everybody can read the page's key: whom it asks for is signed where the page comes from.
const unknownReader = { targetingKey: 'user-4' };
const { signature } = (await call(app, 'POST', '/v1/units', { unit: 'user-4' })).body;
const reader = { targetingKey: `user-4.${signature}` };
await OnPage.setContext(unknownReader);
await OnPage.setProviderAndWait(provider);
const client = OnPage.getClient();
const anybody = client.getObjectDetails(layout, {});
assert.deepEqual([anybody.value, anybody.errorCode], [{}, 'INVALID_CONTEXT']);
await OnPage.setContext(reader);
const shown = client.getObjectDetails(layout, {});
assert.equal(shown.errorCode, undefined, shown.errorMessage);
assert.equal(shown.reason, 'SPLIT');
assert.deepEqual(shown.value, { columns: shown.variant === 'wide' ? 3 : 2 });

const deferred = shown.flagMetadata['tacit.event'];
const tooEarly = await call(page, 'POST', '/v1/outcomes', { event: deferred, value: 1 });
assert.equal(tooEarly.status, 422, 'what is not shown has no outcome');
const activated = await call(page, 'POST', '/v1/activations', { event: deferred });
assert.equal(activated.status, 200, JSON.stringify(activated.body));
const twice = await call(page, 'POST', '/v1/activations', { event: deferred });
assert.deepEqual(twice.body, activated.body);
await answered(page, activated.body.event, 1);

const unseen = client.getStringDetails('no-such-flag', 'none');
assert.deepEqual([unseen.value, unseen.errorCode], ['none', 'FLAG_NOT_FOUND']);

await call(operator, 'POST', `/v1/experiments/${button}/stop`, { why: 'the test is over' });
await provider.onContextChange(reader, reader);
assert.equal(statuses.at(-1), 200, 'a stop is news');
const stopped = client.getStringDetails(button, 'none');
assert.deepEqual([stopped.value, stopped.reason], ['green', 'DISABLED']);
// Of the flags that are left none changes within the hour, unless it begins just now.
await until('the same flags', async () => {
  await provider.onContextChange(reader, reader);
  return statuses.at(-1) === 304;
});

const disabled = await server.getStringDetails(button, 'none', user);
assert.deepEqual([disabled.value, disabled.reason], ['green', 'DISABLED']);
await call(operator, 'POST', `/v1/experiments/${button}/archive`);
const gone = await server.getStringDetails(button, 'none', user);
assert.equal(gone.errorCode, 'FLAG_NOT_FOUND');
await call(operator, 'POST', `/v1/experiments/${layout}/stop`);

await OnServer.close();
await OnPage.close();
console.log('OpenFeature: every flag was evaluated, answered and learned from');
