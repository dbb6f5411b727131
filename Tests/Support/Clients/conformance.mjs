// The steps of `ClientConformance` in a page, called by conformance.py.
import { BrowserSessionStore, Client, DeviceKey, MemorySessionStore, ProblemError, uploadReserved } from "/client/index.js";

const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
const text = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
export const store = new BrowserSessionStore();
export const client = new Client({ baseURL: location.origin, store });

async function identity(client, purpose = "signin") {
    const deviceID = crypto.randomUUID();
    const { challenge } = await client.createChallenge({ purpose, deviceID });
    const response = await fetch("/dev/providers/apple/token", {
        method: "POST", headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ subject: "conformance", nonce: challenge }),
    });
    const device = { id: deviceID, name: "Bob's browser", platform: "web" };
    return { provider: "apple", challenge, idToken: (await response.json()).idToken, device };
}

/** Returns the code of the error of a call. */
const code = (promise) => promise.then(() => "none", (error) => (error instanceof ProblemError ? error.code : error.name));

export async function signUp() {
    const { user, session } = await client.signUp(await identity(client, "signup"));
    return [user.serviceUserID, session.tokenType];
}

export async function signIn() {
    return (await client.signIn(await identity(client))).user.serviceUserID;
}

/** Returns the account of the stored session. */
export async function account(id) {
    return (await client.getUser(id)).serviceUserID;
}

export async function accessToken() {
    return (await client.currentSession())?.accessToken;
}

/** Replaces the access token by one that has expired. */
export async function expire() {
    const stored = await store.load();
    await store.save({ ...stored, session: { ...stored.session, accessToken: "expired" } });
}

/** Returns what a script gets of the stored key, and how the server answers to the tokens with another key. */
export async function theft(id) {
    const stored = await store.load();
    const { privateKey, publicKey } = stored.deviceKey.pair;
    const exported = await crypto.subtle.exportKey("jwk", privateKey).catch((error) => error.name);
    const copy = new MemorySessionStore({ session: { ...stored, deviceKey: await DeviceKey.generate() } });
    const thief = new Client({ baseURL: location.origin, store: copy });
    return [privateKey.extractable, exported, publicKey.algorithm.namedCurve, await code(thief.refresh()), await code(thief.getUser(id))];
}

export async function upload(photo, thumbnail, md5, thumbnailMD5) {
    const [original, small] = [bytes(photo), bytes(thumbnail)];
    const { uploads } = await client.reserveUploads({
        uploads: [
            { kind: "photo", md5, size: original.length, contentType: "image/jpeg" },
            { kind: "thumbnail", md5: thumbnailMD5, size: small.length, photo: md5 },
        ],
    });
    await uploadReserved(uploads[0], original);
    await uploadReserved(uploads[1], small);
    return (await client.addPhotos({ photos: [{ path: "Camera/IMG_1.jpg", md5, modifiedAt: "2026-11-21T05:03:50Z" }] })).photos;
}

export async function list() {
    return (await client.listPhotos()).photos.map(({ path, md5 }) => [path, md5]);
}

const download = async (url) => text(new Uint8Array(await (await fetch(url)).arrayBuffer()));

export async function thumbnail() {
    return download((await client.listPhotos()).photos[0].thumbnailURL);
}

export async function original(md5) {
    return download((await client.getPhoto({ md5 })).url);
}

/** Ends this session from another device, and returns the error of the next call. */
export async function endElsewhere(id) {
    const { deviceID } = await client.currentSession();
    const phone = new Client({ baseURL: location.origin });
    await phone.signIn(await identity(phone));
    await phone.removeDevice(deviceID);
    await phone.signOut();
    return [await code(client.getUser(id)), (await store.load()) === undefined, await code(client.getUser(id))];
}

export async function signOut() {
    await client.signOut();
    return (await store.load()) === undefined;
}

/** Writes the lease of another tab. */
async function leave(lease) {
    const database = await new Promise((resolve, reject) => {
        const request = indexedDB.open("photolala-session", 1);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
    await new Promise((resolve, reject) => {
        const transaction = database.transaction("values", "readwrite");
        transaction.objectStore("values").put(lease, "lease");
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
    });
    database.close();
}

/** Returns what happens after another tab was closed with a lease, before the clock was set back, and took a lease. */
export async function abandonedLeases() {
    const results = [];
    for (const expiresAt of [Date.now() - 1, Date.now() + 3_600_000]) {
        await leave({ owner: "closed", expiresAt });
        results.push(await store.exclusively(async () => "done"));
    }
    const stored = await store.load();
    const lost = store.exclusively(async () => {
        await leave({ owner: "other", expiresAt: Date.now() - 1 });
        await store.save({ ...stored, id: "late" });
    });
    results.push(await code(lost), (await store.load()).id === stored.id);
    return results;
}

/** Returns how many tabs hold or await the store's lock. */
export async function locks() {
    const { held, pending } = await navigator.locks.query();
    return [held.length, pending.length];
}
