// The TypeScript client at servers that no operator runs: proxies, attackers, broken answers.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";

const photolala = await import(process.env.CLIENT);
const { Client, DeviceKey, MemorySessionStore, StorageClient, uploadReserved } = photolala;
const session = { tokenType: "Bearer", accessToken: "a0", refreshToken: "r0", deviceID: "d" };
const user = "04762573-13e2-425e-aef4-2c715e7296fa";
const servers = [];

/** Starts a server on loopback; `received` lists its requests. */
async function listen(answer) {
    const received = [];
    const listener = createServer(async (request, response) => {
        let body = "";
        for await (const part of request) body += part;
        received.push({ method: request.method, url: request.url, headers: request.headers, body });
        await answer(request, response, body);
    }).listen(0, "127.0.0.1");
    await once(listener, "listening");
    servers.push(listener);
    return { url: `http://127.0.0.1:${listener.address().port}`, received };
}

function send(response, status, body, headers = {}) {
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** Returns a store with a session. */
function storeOf(url, stored = session, other = {}) {
    const entry = { id: "s", server: url.replace(/\/+$/, ""), session: stored, renewAt: Infinity, ...other };
    return new MemorySessionStore({ session: entry, bindsSessions: false });
}

function signedIn(url, stored = session, options = {}, deviceKey = undefined) {
    return new Client({ baseURL: url, store: storeOf(url, stored, { deviceKey }), ...options });
}

const failed = (code, status = 401) => ({ type: "about:blank", title: "", status, code, detail: "d", requestID: "0".repeat(32) });
const rejection = (promise) => promise.then(() => assert.fail("no error"), (error) => error);

async function refused(type, expected, promise) {
    const error = await rejection(promise);
    assert(error instanceof type, `${error?.stack}`);
    for (const [name, value] of Object.entries(expected)) assert.equal(error[name], value, `${error}`);
}

// Redirects are not followed: not by calls with tokens, not by signed requests.
const elsewhere = await listen((_, response) => send(response, 200, {}));
for (const status of [301, 302, 303, 307, 308]) {
    const redirecting = await listen((_, response) => send(response, status, "", { Location: `${elsewhere.url}/users` }));
    const client = signedIn(redirecting.url);
    await refused(photolala.ResponseError, { reason: "redirect" }, client.listDevices());
    await refused(photolala.ResponseError, { reason: "redirect" }, client.refresh());
    const storage = new StorageClient({
        accessKeyID: "a", secretAccessKey: "s", sessionToken: "t", endpoint: redirecting.url, region: "r", bucket: "b",
    });
    await refused(photolala.ResponseError, { reason: "redirect" }, storage.put("k", new Uint8Array(1)));
}
assert.equal(elsewhere.received.length, 0);

// Answers that are no Photolala server's.
const answers = [
    [200, "<html>Sign in to the Wi-Fi</html>", "malformed"], [502, "<html>Bad Gateway</html>", "malformed"], [500, "", "malformed"],
    [401, "[]", "malformed"], [401, '{"code": 7}', "malformed"], [200, "null", "malformed"], [200, '{"a": "\xff', "malformed"],
];
for (const [status, text, reason] of answers) {
    const broken = await listen((_, response) => send(response, status, text));
    await refused(photolala.ResponseError, { status, reason }, signedIn(broken.url).listDevices());
}
const halfSession = await listen((_, response) => send(response, 200, { session: { accessToken: "a1" } }));
const half = signedIn(halfSession.url);
await refused(photolala.ResponseError, { reason: "malformed" }, half.refresh());
assert.equal(await half.currentSession(), session);
const limited = await listen((_, response) => send(response, 429, failed("rate_limited", 429), { "Retry-After": "17" }));
await refused(photolala.ProblemError, { status: 429, code: "rate_limited", retryAfter: 17 }, signedIn(limited.url).listDevices());

// An endless answer ends at the limit, a silent or slow one at the deadline, and a cancelled one at once.
const endless = await listen((_, response) => {
    response.writeHead(200);
    const pour = () => {
        while (!response.destroyed && response.write(Buffer.alloc(1 << 16)));
        if (!response.destroyed) response.once("drain", pour);
    };
    pour();
});
await refused(photolala.ResponseError, { reason: "too_large" }, signedIn(endless.url, session, { maximumBytes: 1 << 20 }).listDevices());
const silent = await listen(() => {});
await refused(photolala.NetworkError, { reason: "timeout" }, signedIn(silent.url, session, { timeoutMs: 50 }).listDevices());
const stuck = await listen((_, response) => { response.writeHead(200); response.write("{"); });
await refused(photolala.NetworkError, { reason: "timeout" }, signedIn(stuck.url).listDevices({ timeoutMs: 50 }));
const controller = new AbortController();
const cancelled = rejection(signedIn(silent.url).listDevices({ signal: controller.signal }));
controller.abort();
assert.equal((await cancelled).reason, "aborted");
await refused(photolala.NetworkError, { reason: "aborted" }, signedIn(silent.url).listDevices({ signal: controller.signal }));

// Renewal: once for all calls, not by a caller's cancellation, and not into a session that was replaced.
let release, started;
const beginning = new Promise((resolve) => { started = resolve; });
const gate = new Promise((resolve) => { release = resolve; });
const renewing = await listen(async (request, response, body) => {
    if (request.url === "/base/auth/refresh") {
        started();
        await gate;
        return send(response, 200, { session: { ...session, accessToken: "a1", refreshToken: "r1" } });
    }
    send(response, ...(request.headers.authorization === "Bearer a0" ? [401, failed("unauthorized")] : [200, { devices: [] }]));
});
const busy = signedIn(`${renewing.url}/base//`);
const impatient = new AbortController();
const calls = [busy.listDevices({ signal: impatient.signal }), ...Array.from({ length: 10 }, () => busy.listDevices())];
await beginning;
impatient.abort();
const during = busy.listDevices();
release();
const results = await Promise.allSettled([...calls, during, busy.refresh()]);
assert.deepEqual(results.map(({ status }) => status), ["rejected", ...Array(12).fill("fulfilled")]);
const refreshes = renewing.received.filter(({ url }) => url === "/base/auth/refresh");
assert.deepEqual(refreshes.map(({ body }) => JSON.parse(body).refreshToken), ["r0"]);
assert.equal((await busy.currentSession()).refreshToken, "r1");
// A session whose new token is refused, too, is not renewed forever.
const stubborn = await listen((request, response) =>
    request.url === "/auth/refresh" ? send(response, 200, { session: { ...session, accessToken: "a1" } }) : send(response, 401, failed("unauthorized")));
await refused(photolala.ProblemError, { code: "unauthorized" }, signedIn(stubborn.url).listDevices());
assert.equal(stubborn.received.length, 3);

// Nonces: one repetition, with the nonce of the response and a new proof.
const nonces = await listen((_, response) => send(response, 401, failed("use_dpop_nonce"), { "DPoP-Nonce": `n${nonces.received.length}` }));
const bound = signedIn(nonces.url, { ...session, tokenType: "DPoP" }, {}, await DeviceKey.generate());
await refused(photolala.ProblemError, { code: "use_dpop_nonce" }, bound.getHistory(user, { limit: 5 }));
const proofs = nonces.received.map(({ headers }) => JSON.parse(Buffer.from(headers.dpop.split(".")[1], "base64url")));
assert.deepEqual(proofs.map(({ nonce }) => nonce), [undefined, "n1"]);
assert.notEqual(proofs[0].jti, proofs[1].jti);
assert.deepEqual([proofs[0].htm, proofs[0].htu], ["GET", `${nonces.url}/users/${user}/audit`]);
assert.equal(nonces.received[0].url, `/users/${user}/audit?limit=5`);
assert.match(nonces.received[0].headers.authorization, /^DPoP a0$/);
const header = JSON.parse(Buffer.from(nonces.received[0].headers.dpop.split(".")[0], "base64url"));
assert.deepEqual(Object.keys(header.jwk).sort(), ["crv", "kty", "x", "y"]);

// Values that would address another resource, add header fields or leave TLS are not sent.
const untouched = await listen((_, response) => send(response, 200, {}));
const careful = signedIn(untouched.url);
const line = "x\r\nX-Injected: 1";
const storage = new StorageClient({
    accessKeyID: "a", secretAccessKey: "s", sessionToken: "t", endpoint: untouched.url, region: "r", bucket: "b",
});
const bytes = new Uint8Array(1);
for (const call of [
    () => careful.removeDevice(".."), () => careful.removeDevice(`${user}/../${user}`), () => careful.getUser(""),
    () => careful.deleteSharedLink(".."), () => careful.deleteSharedLink(`${"0".repeat(32)}/..`),
    () => careful.replaceProfile(user, {}, { ifMatch: line }), () => careful.replaceProfile(user, {}, { ifMatch: "é" }),
    () => signedIn(untouched.url, { ...session, accessToken: line }).listDevices(),
    () => storage.put("k", bytes, { contentType: line }), () => storage.get("photos/../x"), () => storage.get("./x"),
    () => storage.get(""), () => storage.get("\ud800"),
    () => uploadReserved({ url: `${untouched.url}/k`, headers: { "content-type": line } }, bytes),
    () => uploadReserved({ url: "http://store.example/k", headers: {} }, bytes),
    async () => new StorageClient({ endpoint: "http://store.example" }),
    async () => new Client({ baseURL: "http://photos.example" }), async () => new Client({ baseURL: "photos.example" }),
    async () => new Client({ baseURL: "https://user:password@photos.example" }),
    async () => new Client({ baseURL: "https://photos.example/?a=1" }), async () => new Client({ baseURL: "javascript:alert(1)" }),
    () => signedIn(untouched.url, { ...session, tokenType: "DPoP" }).listDevices(),
    () => new Client({ baseURL: `${untouched.url}/other`, store: storeOf(untouched.url) }).listDevices(),
    async () => new DeviceKey(await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-384" }, false, ["sign"])),
]) await refused(photolala.InvalidArgumentError, {}, call());
assert.equal(untouched.received.length, 0);

// A store with another clock: one repetition, with its time.
const skewed = await listen((_, response) =>
    send(response, 403, "<Error><Code>RequestTimeTooSkewed</Code></Error>", { Date: "Tue, 01 Feb 2022 00:00:00 GMT" }));
const late = new StorageClient(
    { accessKeyID: "a", secretAccessKey: "s", sessionToken: "t", endpoint: skewed.url, region: "r", bucket: "b" },
    { now: () => new Date("2020-01-01T00:00:00Z") });
await refused(photolala.StorageError, { code: "RequestTimeTooSkewed", status: 403 }, late.get("a//b"));
assert.deepEqual(skewed.received.map(({ headers }) => headers["x-amz-date"]), ["20200101T000000Z", "20220201T000000Z"]);
assert.equal(skewed.received[0].url, "/b/a//b");

// Tokens are not in what a log prints.
const { inspect } = await import("node:util");
assert(!inspect(careful, { depth: 9 }).includes("r0"));

await (await import("./renewals.mjs")).renewals({ photolala, listen, send, failed, refused, session, storeOf });

for (const server of servers) {
    server.closeAllConnections();
    server.close();
}
console.log("DONE");
