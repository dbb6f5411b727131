// Bob's journey with the TypeScript client at a real server (SERVER). CLIENT is the compiled client.
import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:net";

const photolala = await import(process.env.CLIENT);
const { Client, DeviceKey, MemorySessionStore, StorageClient, uploadReserved } = photolala;
const server = process.env.SERVER;
const id = randomUUID();
const device = { id, name: "Bob's browser", platform: "web" };
const md5 = (bytes) => createHash("md5").update(bytes).digest("hex");

async function idToken(provider, nonce) {
    const body = JSON.stringify({ subject: `${provider}-${id}`, email: `${id}@photolala.example`, nonce });
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(`${server}/dev/providers/${provider}/token`, { method: "POST", headers, body });
    return (await response.json()).idToken;
}

async function identity(client, provider, purpose, deviceID = id) {
    const { challenge } = await client.createChallenge({ purpose, deviceID });
    return { provider, challenge, idToken: await idToken(provider, challenge) };
}

async function problem(promise, status, code) {
    const error = await promise.then(() => assert.fail(`${code} expected`), (error) => error);
    assert(error instanceof photolala.ProblemError, String(error));
    assert.deepEqual([error.status, error.code], [status, code]);
    assert.match(error.problem.requestID, /^[0-9a-f]{32}$/);
    return error;
}

// A device whose clock is a year late, behind an address with a slash.
const late = () => new Date(Date.now() - 365 * 86400_000);
const store = new MemorySessionStore();
const options = { baseURL: `${server}/`, store, now: late };
/** Returns the store of another device with this device's session. */
const copied = async (tokens, other = {}) => {
    const stored = await store.load();
    return new MemorySessionStore({ session: { ...stored, ...other, session: { ...stored.session, ...tokens } } });
};
const bob = new Client(options);

// Sign up, sign in, link.
await problem(bob.signIn({ provider: "apple", idToken: "no.id.token", device }), 401, "invalid_token");
const unknown = await problem(bob.signIn({ ...(await identity(bob, "apple", "signin")), device }), 404, "no_account_found");
await bob.signUp({ pendingIdentity: unknown.noAccount.pendingIdentity, fullName: "Bob Świątek", device });
const { user, session } = await bob.signIn({ ...(await identity(bob, "apple", "signin")), device });
assert.equal(session.tokenType, "DPoP");
await assert.rejects(crypto.subtle.exportKey("jwk", (await store.load()).deviceKey.pair.privateKey));
const lost = await problem(bob.signIn({ ...(await identity(bob, "google", "signin")), device }), 404, "no_account_found");
assert.deepEqual(lost.noAccount.hints, [{ provider: "apple" }]);
const { linkedProviders } = await bob.linkAccount(await identity(bob, "google", "link"));
assert.deepEqual(linkedProviders.map((link) => link.provider), ["apple", "google"]);
await problem(bob.linkAccount(await identity(bob, "facebook", "signin")), 401, "invalid_challenge");
const elsewhere = { ...(await identity(bob, "google", "signin")), device: { ...device, id: randomUUID() } };
await problem(bob.signIn(elsewhere), 401, "invalid_challenge");

// The account.
const me = await bob.getUser(user.serviceUserID);
assert.equal(me.displayName, "Bob Świątek");
const profile = await bob.getProfile(user.serviceUserID);
const named = await bob.replaceProfile(user.serviceUserID, { displayName: "Bob 🦉" }, { ifMatch: profile.etag });
assert.equal(named.value.displayName, "Bob 🦉");
await problem(bob.replaceProfile(user.serviceUserID, {}, { ifMatch: '"old"' }), 412, "changed_meanwhile");
const history = await bob.getHistory(user.serviceUserID, { limit: 1 });
assert.equal(history.entries.length >= 1, true);
await problem(bob.getUser(randomUUID()), 404, "not_found");
const before = { ...(await bob.listDevices()).devices[0] };
assert.deepEqual([before.id, before.isBound, before.isCurrent], [id, true, true]);
const again = await identity(bob, "google", "reauthenticate");
await problem(bob.reauthenticate(again), 403, "identity_too_new");
await bob.reauthenticate(await identity(bob, "apple", "reauthenticate"));
assert.notEqual((await bob.currentSession()).accessToken, session.accessToken);

// Storage, with the late clock.
const credentials = await bob.issueCredentials();
const storage = new StorageClient(credentials, { now: late });
const photo = crypto.getRandomValues(new Uint8Array(40_000));
const key = `photos/${user.serviceUserID}/${md5(photo)}.dat`;
await storage.put(key, photo, { contentType: "image/heic" });
assert.deepEqual(await storage.get(key), photo);
for (const name of ["ünï çødé/日本 🦉.json", "a+b &=?#%41!'()*~;,:@$.json", "empty.json"]) {
    const bytes = name === "empty.json" ? new Uint8Array() : new TextEncoder().encode(name);
    await storage.put(`users/${user.serviceUserID}/${name}`, bytes, { isPayloadUnsigned: true });
    assert.deepEqual(await storage.get(`users/${user.serviceUserID}/${name}`), bytes);
}
for (const [address, code] of [[`users/${user.serviceUserID}/none`, "NoSuchKey"], ["identities/apple/x", "AccessDenied"]]) {
    const error = await storage.get(address).catch((error) => error);
    assert(error instanceof photolala.StorageError && error.code === code, String(error));
}
const forged = new StorageClient({ ...credentials, secretAccessKey: "forged" });
assert.equal((await forged.get(key).catch((error) => error)).code, "SignatureDoesNotMatch");
const second = crypto.getRandomValues(new Uint8Array(500));
const upload = await bob.reserveUpload({ kind: "photo", md5: md5(second), size: second.length });
await uploadReserved(upload, second);
const other = await uploadReserved(upload, second.slice(1)).catch((error) => error);
assert(other instanceof photolala.StorageError, String(other));
assert.deepEqual(await storage.get(`photos/${user.serviceUserID}/${md5(second)}.dat`), second);

// The library, without a catalog in the client: a JPEG and its thumbnail are uploaded, added, listed and opened.
const jpeg = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, ...new TextEncoder().encode("JFIF"), ...second]);
const thumbnail = { kind: "thumbnail", md5: md5(jpeg), size: jpeg.length, photo: md5(jpeg) };
const uploads = await bob.reserveUploads({
    uploads: [{ kind: "photo", md5: md5(jpeg), size: jpeg.length, contentType: "image/jpeg" }, thumbnail],
});
for (const reserved of uploads.uploads) await uploadReserved(reserved, jpeg);
const place = { path: "Camera/ünï.jpg", md5: md5(jpeg), modifiedAt: "2026-11-21T05:03:50Z" };
const missing = { ...place, path: "Camera/missing.jpg", md5: md5(new Uint8Array(3)) };
const { photos: outcomes } = await bob.addPhotos({ photos: [place, missing] });
assert.deepEqual(outcomes, ["added", "missing"]);
const page = await bob.listPhotos({ limit: 1 });
assert.deepEqual([page.count, page.next, page.photos[0].path, page.photos[0].type], [1, undefined, place.path, "image/jpeg"]);
const { url } = await bob.getPhoto({ md5: page.photos[0].md5 });
for (const link of [url, page.photos[0].thumbnailURL]) {
    assert.deepEqual(new Uint8Array(await (await fetch(link)).arrayBuffer()), jpeg);
}

// Concurrent calls with an expired access token renew the session once; the bound refresh token stays the same.
let renewals = 0;
const counting = (url, init) => {
    if (url.endsWith("/auth/refresh")) renewals += 1;
    return fetch(url, init);
};
await store.save({ ...(await store.load()), session: { ...(await bob.currentSession()), accessToken: "expired" } });
const restarted = new Client({ ...options, fetch: counting });
await Promise.all(Array.from({ length: 20 }, () => restarted.getUser(user.serviceUserID)));
assert.equal(renewals, 1);
assert.equal((await restarted.currentSession()).refreshToken, session.refreshToken);
const thief = new Client({ baseURL: server, store: await copied({}, { deviceKey: await DeviceKey.generate() }) });
await problem(thief.getUser(user.serviceUserID), 401, "invalid_dpop_proof");
assert(await thief.currentSession(), "a refused proof does not end the session");

// Bearer tokens: each refresh token is used once, and reuse ends the session.
const plainID = randomUUID();
const plain = new Client({ baseURL: server, store: new MemorySessionStore({ bindsSessions: false }) });
await plain.signIn({ ...(await identity(plain, "google", "signin", plainID)), device: { ...device, id: plainID } });
const first = await plain.currentSession();
await plain.refresh();
await plain.refresh();
assert.notEqual((await plain.currentSession()).refreshToken, first.refreshToken);
const reuse = new Client({ baseURL: server, store: await copied(first, { deviceKey: undefined }) });
await problem(reuse.refresh(), 401, "session_ended");
assert.equal(await reuse.currentSession(), undefined);
await problem(plain.getUser(user.serviceUserID), 401, "session_ended");
await assert.rejects(plain.getUser(user.serviceUserID), photolala.NotSignedInError);

// Tokens of no session.
const wrong = new Client({ ...options, store: await copied({ accessToken: "wrong", refreshToken: "wrong" }) });
await problem(wrong.getUser(user.serviceUserID), 401, "session_ended");

// A server that is not there.
const port = await new Promise((resolve) => {
    const listener = createServer().listen(0, "127.0.0.1", () => {
        const { port } = listener.address();
        listener.close(() => resolve(port));
    });
});
const nowhere = await new Client({ baseURL: `http://127.0.0.1:${port}` }).createChallenge({ purpose: "signin", deviceID: id }).catch((error) => error);
assert(nowhere instanceof photolala.NetworkError && nowhere.reason === "unreachable", String(nowhere));

// Sign out. Another client of the store learns it from the server or the store.
const offline = new Client({ ...options, store: await copied({}) });
await offline.currentSession();
await restarted.signOut();
assert.equal(await store.load(), undefined);
await problem(offline.getUser(user.serviceUserID), 401, "session_ended");
assert.equal(await offline.currentSession(), undefined);
console.log("DONE");
