// How clients that share a store renew its session.
import assert from "node:assert/strict";

export async function renewals({ photolala, listen, send, failed, refused, session, storeOf }) {
    const { Client, NetworkError, NotSignedInError, ProblemError } = photolala;
    const next = { ...session, accessToken: "a1", refreshToken: "r1" };
    const paths = (server) => server.received.map(({ url }) => url);
    const tokens = (server) => server.received.map(({ headers }) => headers.authorization);
    /** Starts a server that answers each renewal with the next of `answers`: a session, a status or no response. */
    const renewing = (...answers) => listen((request, response) => {
        if (request.url !== "/auth/refresh") return send(response, 200, { devices: [], user: {}, session: { ...session, accessToken: "b0" } });
        const answer = answers.shift();
        if (answer === undefined) return response.destroy();
        if (typeof answer !== "number") return send(response, 200, { session: answer });
        send(response, answer, failed("temporarily_unavailable", answer), { "Retry-After": "30" });
    });

    // A minute before the access token expires, by the server's time: the device's clock is a day late.
    const early = await renewing({ ...next, accessTokenExpiresAt: new Date(Date.now() + 600_000).toISOString() });
    let time = Date.now() - 86_400_000;
    const store = storeOf(early.url, session, { renewAt: 0 });
    const client = new Client({ baseURL: early.url, store, now: () => new Date(time) });
    await client.listDevices();
    time += 539_000;
    await client.listDevices();
    assert.deepEqual(paths(early), ["/auth/refresh", "/auth/devices", "/auth/devices"]);
    assert.deepEqual(tokens(early).slice(1), ["Bearer a1", "Bearer a1"]);
    time += 3_000;
    await client.listDevices();
    // No response to the renewal: three attempts with one token, then the call with the token that is still valid.
    assert.deepEqual(early.received.slice(3, 6).map(({ body }) => body), Array(3).fill('{"refreshToken":"r1"}'));
    assert.deepEqual(tokens(early).slice(6), ["Bearer a1"]);

    // A lost response: the same token again.
    const lossy = await renewing(undefined, undefined, next);
    await new Client({ baseURL: lossy.url, store: storeOf(lossy.url) }).refresh();
    assert.deepEqual(lossy.received.map(({ body }) => body), Array(3).fill('{"refreshToken":"r0"}'));

    // Not after the time in which the server returns the same successor.
    const slow = await renewing();
    let clock = 0;
    const late = new Client({ baseURL: slow.url, store: storeOf(slow.url), now: () => new Date((clock += 13_000)) });
    await refused(NetworkError, { reason: "unreachable" }, late.refresh());
    assert(slow.received.length < 3, `${slow.received.length}`);
    const busy = await renewing(503);
    await refused(ProblemError, { status: 503 }, new Client({ baseURL: busy.url, store: storeOf(busy.url) }).refresh());
    assert.equal(busy.received.length, 1);

    // Two clients of one store, as in two tabs: the second one finds what the first one stored.
    const once = await renewing(next);
    const shared = storeOf(once.url);
    const pair = [1, 2].map(() => new Client({ baseURL: once.url, store: shared }));
    await Promise.all(pair.map((each) => each.currentSession()));
    await Promise.all(pair.map((each) => each.refresh()));
    assert.deepEqual(paths(once), ["/auth/refresh"]);
    for (const each of pair) await each.listDevices();
    assert.deepEqual(tokens(once).slice(1), ["Bearer a1", "Bearer a1"]);

    // A sign-in during a renewal waits for it and replaces its tokens. A call of the replaced session is not repeated.
    let release, started;
    const gate = new Promise((resolve) => { release = resolve; });
    const beginning = new Promise((resolve) => { started = resolve; });
    const replaced = await listen(async (request, response) => {
        const isRefresh = request.url === "/auth/refresh";
        if (isRefresh) {
            started();
            await gate;
        }
        if (request.url === "/auth/devices") return send(response, 401, failed("unauthorized"));
        send(response, 200, { user: {}, session: { ...session, accessToken: isRefresh ? "a1" : "b0" } });
    });
    const one = new Client({ baseURL: replaced.url, store: storeOf(replaced.url) });
    const renewal = one.refresh();
    await beginning;
    const device = { id: "04762573-13e2-425e-aef4-2c715e7296fa", name: "n", platform: "web" };
    const signIn = one.signIn({ provider: "apple", idToken: "t", device });
    release();
    await Promise.all([renewal, signIn]);
    assert.deepEqual(paths(replaced), ["/auth/refresh", "/auth/signin"]);
    assert.equal((await one.currentSession()).accessToken, "b0");
    const common = storeOf(replaced.url);
    const [first, second] = [1, 2].map(() => new Client({ baseURL: replaced.url, store: common }));
    await first.currentSession();
    await second.signIn({ provider: "apple", idToken: "t", device });
    await refused(NotSignedInError, {}, first.listDevices());
    assert.deepEqual(tokens(replaced).slice(-1), ["Bearer a0"]);

    // A sign-out without a response removes the session here.
    const silent = await listen((_, response) => response.destroy());
    const leaving = new Client({ baseURL: silent.url, store: storeOf(silent.url) });
    await refused(NetworkError, {}, leaving.signOut());
    assert.equal(await leaving.currentSession(), undefined);
}
