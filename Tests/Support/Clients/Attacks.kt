// The Kotlin client at servers that no operator runs: proxies, attackers, broken answers.
import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import java.io.IOException
import java.net.InetSocketAddress
import java.security.KeyPairGenerator
import java.security.spec.ECGenParameterSpec
import java.time.Clock
import java.time.Instant
import java.time.ZoneOffset
import java.util.Base64
import java.util.Collections
import java.util.concurrent.Callable
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Executors
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import photolala.client.*

private const val USER = "04762573-13e2-425e-aef4-2c715e7296fa"
private val session = Session(TokenType.BEARER, "a0", "2099-11-21T06:03:50Z", "r0", "2026-12-21T05:03:50Z", USER)
private val bearerCredentials = StorageCredentials(
    "a", "s", "t", "2026-11-21T06:03:50Z", "http://127.0.0.1", "r", "b", emptyList(), StorageAccessLevel.READ_WRITE)

private fun signedIn(
    url: String, stored: Session = session, timeoutMillis: Long = 30_000, maximumBytes: Int = 64 shl 20, key: DeviceKey? = null,
) = Client(url, storeOf(url, stored, key = key), timeoutMillis = timeoutMillis, maximumBytes = maximumBytes)

/** Returns a store with a session. */
private fun storeOf(url: String, stored: Session = session, renewAt: Instant = Instant.MAX, key: DeviceKey? = null) =
    MemorySessionStore(StoredSession("s", url.trimEnd('/'), stored, key, renewAt), bindsSessions = false)

private class Received(val path: String, val headers: Map<String, String>, val body: String)

/** A server on loopback that stores its requests. */
private class FakeServer(answer: (HttpExchange, String) -> Unit) : AutoCloseable {
    val received: MutableList<Received> = Collections.synchronizedList(mutableListOf())
    private val threads = Executors.newCachedThreadPool { Thread(it).apply { isDaemon = true } }
    private val server = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0).apply {
        createContext("/") { exchange ->
            val body = exchange.requestBody.readBytes().decodeToString()
            received += Received(exchange.requestURI.toString(), exchange.requestHeaders.mapValues { it.value.first() }, body)
            answer(exchange, body)
        }
        executor = threads
        start()
    }
    val url = "http://127.0.0.1:${server.address.port}"

    override fun close() = server.stop(0)
}

private fun HttpExchange.send(status: Int, text: String, vararg headers: Pair<String, String>) {
    for ((name, value) in headers) responseHeaders.set(name, value)
    sendResponseHeaders(status, if (text.isEmpty()) -1 else text.encodeToByteArray().size.toLong())
    responseBody.use { if (text.isNotEmpty()) it.write(text.encodeToByteArray()) }
}

private fun failed(code: String) =
    """{"type": "about:blank", "title": "", "status": 401, "code": "$code", "detail": "d", "requestID": "${"0".repeat(32)}"}"""

private fun renewed(access: String, refresh: String) =
    """{"session": ${Json.encodeToString(Session.serializer(), session.copy(accessToken = access, refreshToken = refresh))}}"""

fun part(proof: String, index: Int): JsonObject =
    Json.parseToJsonElement(Base64.getUrlDecoder().decode(proof.split(".")[index]).decodeToString()).jsonObject

private fun JsonObject.text(name: String) = get(name)?.jsonPrimitive?.content

fun attacks() {
    redirects()
    answers()
    limits()
    renewals()
    earlyRenewals()
    lostRenewals()
    nonces()
    arguments()
    clocks()
    expect(listOf(session, bearerCredentials).none { "r0" in it.toString() || "key" in it.toString() })
}

private fun redirects() = FakeServer { exchange, _ -> exchange.send(200, "{}") }.use { elsewhere ->
    for (status in listOf(301, 302, 303, 307, 308)) {
        FakeServer { exchange, _ -> exchange.send(status, "", "Location" to "${elsewhere.url}/users") }.use { server ->
            val client = signedIn(server.url)
            val storage = StorageClient(bearerCredentials.copy(endpoint = server.url))
            for (call in listOf<() -> Unit>({ client.listDevices() }, { client.refresh() }, { storage.put("k", ByteArray(1)) })) {
                expect(rejection<ResponseException>(call).reason == ResponseException.Reason.REDIRECT)
            }
        }
    }
    expect(elsewhere.received.isEmpty())
}

private fun answers() {
    val texts = listOf(200 to "<html>Sign in to the Wi-Fi</html>", 502 to "<html>Bad Gateway</html>", 500 to "", 401 to "[]",
        401 to """{"code": 7}""", 200 to "null", 200 to "{\"devices\": 1}", 200 to "")
    for ((status, text) in texts) FakeServer { exchange, _ -> exchange.send(status, text) }.use { server ->
        val error = rejection<ResponseException> { signedIn(server.url).listDevices() }
        expect(error.status == status && error.reason == ResponseException.Reason.MALFORMED) { "$status $text: $error" }
    }
    FakeServer { exchange, _ -> exchange.send(429, failed("new_code"), "Retry-After" to "17") }.use { server ->
        val error = rejection<ProblemException> { signedIn(server.url).listDevices() }
        expect(error.status == 429 && error.code == ErrorCode("new_code") && error.retryAfter == 17L)
    }
    FakeServer { exchange, _ -> exchange.send(200, """{"devices": [], "added": {"later": 1}}""") }.use { server ->
        expect(signedIn(server.url).listDevices().devices.isEmpty())
    }
}

private fun limits() {
    FakeServer { exchange, _ ->
        exchange.sendResponseHeaders(200, 0)
        try {
            while (true) exchange.responseBody.write(ByteArray(1 shl 16))
        } catch (_: IOException) {
            exchange.close()
        }
    }.use { server ->
        val client = signedIn(server.url, maximumBytes = 1 shl 20)
        expect(rejection<ResponseException> { client.listDevices() }.reason == ResponseException.Reason.TOO_LARGE)
    }
    val never = CountDownLatch(1)
    FakeServer { _, _ -> never.await() }.use { server ->
        expect(rejection<NetworkException> { signedIn(server.url, timeoutMillis = 100).listDevices() }.isTimeout)
    }
    // Each byte comes before a limit of single reads; only the deadline of the whole response ends it.
    FakeServer { exchange, _ ->
        exchange.sendResponseHeaders(200, 0)
        try {
            while (!never.await(50, java.util.concurrent.TimeUnit.MILLISECONDS)) {
                exchange.responseBody.write(' '.code)
                exchange.responseBody.flush()
            }
        } catch (_: IOException) {
            exchange.close()
        }
    }.use { server ->
        expect(rejection<NetworkException> { signedIn(server.url, timeoutMillis = 500).listDevices() }.isTimeout)
    }
    never.countDown()
}

private fun renewals() {
    val started = CountDownLatch(1)
    val gate = CountDownLatch(1)
    FakeServer { exchange, _ ->
        when {
            exchange.requestURI.path == "/base/auth/refresh" -> {
                started.countDown()
                gate.await()
                exchange.send(200, renewed("a1", "r1"))
            }
            exchange.requestHeaders.getFirst("Authorization") == "Bearer a0" -> {
                exchange.send(401, failed("unauthorized"), "WWW-Authenticate" to "Bearer error=\"invalid_token\"")
            }
            else -> exchange.send(200, """{"devices": []}""")
        }
    }.use { server ->
        val client = signedIn("${server.url}/base//")
        val pool = Executors.newCachedThreadPool()
        val calls = List(8) { pool.submit(Callable { client.listDevices() }) }
        started.await()
        val during = pool.submit(Callable { client.listDevices() })
        gate.countDown()
        (calls + during).forEach { it.get() }
        client.refresh()
        pool.shutdown()
        val tokens = server.received.filter { it.path == "/base/auth/refresh" }.map { part -> part.body }
        expect(tokens == listOf("""{"refreshToken":"r0"}""", """{"refreshToken":"r1"}""")) { tokens }
        expect(client.currentSession()!!.refreshToken == "r1")
    }
    // A sign-in during a renewal waits for it and replaces its tokens. A call of the replaced session is not repeated.
    val asked = CountDownLatch(1)
    val release = CountDownLatch(1)
    FakeServer { exchange, _ ->
        val user = """{"serviceUserID": "$USER", "primaryProvider": "apple", "linkedProviders": [],
            "createdAt": "2026-11-21T05:03:50Z", "subscription": {"tier": "new", "storageLimit": 1}}"""
        when (exchange.requestURI.path) {
            "/auth/refresh" -> {
                asked.countDown()
                release.await()
                exchange.send(200, renewed("a1", "r1"))
            }
            "/auth/devices" -> exchange.send(401, failed("unauthorized"))
            else -> exchange.send(200, renewed("b0", "q0").replaceFirst("{", """{"user": $user, """))
        }
    }.use { server ->
        val signIn = SignInRequest("apple", "t", device = DeviceDescription(id = USER, name = "n", platform = "android"))
        val client = signedIn(server.url)
        val pool = Executors.newCachedThreadPool()
        val renewal = pool.submit { client.refresh() }
        asked.await()
        val second = pool.submit { client.signIn(signIn) }
        release.countDown()
        listOf(renewal, second).forEach { it.get() }
        pool.shutdown()
        expect(server.received.map { it.path } == listOf("/auth/refresh", "/auth/signin"))
        expect(client.currentSession()!!.accessToken == "b0")
        val common = storeOf(server.url)
        val (one, other) = List(2) { Client(server.url, common) }
        one.currentSession()
        other.signIn(signIn)
        rejection<NotSignedInException> { one.listDevices() }
        expect(server.received.last().headers["Authorization"] == "Bearer a0")
    }
    // A session whose new token is refused, too, is not renewed forever.
    FakeServer { exchange, _ ->
        if (exchange.requestURI.path == "/auth/refresh") exchange.send(200, renewed("a1", "r1")) else exchange.send(401, failed("unauthorized"))
    }.use { server ->
        expect(rejection<ProblemException> { signedIn(server.url).listDevices() }.code == ErrorCode.UNAUTHORIZED)
        expect(server.received.size == 3)
    }
}

/** Answers each renewal with the next of `answers`: a session, a status or no response. */
private fun renewing(vararg answers: Any?): FakeServer {
    val rest = java.util.ArrayDeque(answers.map { java.util.Optional.ofNullable(it) })
    return FakeServer { exchange, _ ->
        if (exchange.requestURI.path != "/auth/refresh") return@FakeServer exchange.send(200, """{"devices": []}""")
        when (val answer = rest.poll()?.orElse(null)) {
            is String -> exchange.send(200, answer)
            is Int -> exchange.send(answer, failed("temporarily_unavailable"), "Retry-After" to "30")
            else -> exchange.close()
        }
    }
}

/** A clock that tests move. */
private class MovedClock(var time: Instant, val step: Long = 0) : Clock() {
    override fun instant(): Instant = time.also { time += java.time.Duration.ofSeconds(step) }

    override fun getZone(): ZoneOffset = ZoneOffset.UTC

    override fun withZone(zone: java.time.ZoneId?) = this
}

/** Transport that sends each request once: `HttpURLConnection` repeats those without response. */
private class Counted(private val server: FakeServer) : Transport {
    val bodies = mutableListOf<String>()

    override fun send(request: HttpRequest): HttpResponse {
        if (request.url.startsWith(server.url) && request.url.endsWith("/auth/refresh")) bodies += request.body!!.decodeToString()
        return URLConnectionTransport().send(request)
    }
}

/** A minute before the access token expires, by the server's time: the device's clock is a day late. */
private fun earlyRenewals() {
    val expiry = Instant.now().plusSeconds(600).toString()
    renewing(renewed("a1", "r1").replace("2099-11-21T06:03:50Z", expiry)).use { server ->
        val clock = MovedClock(Instant.now().minusSeconds(86_400))
        val client = Client(server.url, storeOf(server.url, renewAt = Instant.EPOCH), clock = clock)
        client.listDevices()
        clock.time += java.time.Duration.ofSeconds(539)
        client.listDevices()
        expect(server.received.map { it.path } == listOf("/auth/refresh", "/auth/devices", "/auth/devices"))
        expect(server.received.drop(1).all { it.headers["Authorization"] == "Bearer a1" })
        // No response to the renewal: then the call with the token that is still valid.
        clock.time += java.time.Duration.ofSeconds(3)
        client.listDevices()
        val paths = server.received.drop(3).map { it.path }
        expect(paths.dropLast(1).distinct() == listOf("/auth/refresh") && paths.last() == "/auth/devices") { paths }
    }
}

private fun lostRenewals() {
    // The same token again. Each attempt may be two requests, since `HttpURLConnection` repeats them.
    renewing(null, null, null, null, renewed("a1", "r1")).use { server ->
        val transport = Counted(server)
        Client(server.url, storeOf(server.url), transport).refresh()
        expect(transport.bodies.size in 2..3 && transport.bodies.distinct() == listOf("""{"refreshToken":"r0"}""")) { transport.bodies }
    }
    renewing().use { server ->
        val transport = Counted(server)
        rejection<NetworkException> { Client(server.url, storeOf(server.url), transport).refresh() }
        expect(transport.bodies.size == 3)
    }
    // Not after the time in which the server returns the same successor.
    renewing().use { server ->
        val transport = Counted(server)
        val clock = MovedClock(Instant.EPOCH, step = 13)
        rejection<NetworkException> { Client(server.url, storeOf(server.url), transport, clock = clock).refresh() }
        expect(transport.bodies.size < 3)
    }
    renewing(503).use { server ->
        expect(rejection<ProblemException> { signedIn(server.url).refresh() }.status == 503 && server.received.size == 1)
    }
    // Two clients of one store, as in two processes: the second one finds what the first one stored.
    renewing(renewed("a1", "r1")).use { server ->
        val store = storeOf(server.url)
        val clients = List(2) { Client(server.url, store).also { it.currentSession() } }
        val pool = Executors.newFixedThreadPool(2)
        pool.invokeAll(clients.map { Callable { it.refresh() } }).forEach { it.get() }
        pool.shutdown()
        expect(server.received.map { it.path } == listOf("/auth/refresh"))
        clients.forEach { it.listDevices() }
        expect(server.received.drop(1).all { it.headers["Authorization"] == "Bearer a1" })
    }
    // A sign-out without a response removes the session here.
    renewing().use { server ->
        val leaving = signedIn(server.url, timeoutMillis = 500)
        server.close()
        rejection<NetworkException> { leaving.signOut() }
        expect(leaving.currentSession() == null)
    }
}

private fun nonces() {
    var count = 0
    FakeServer { exchange, _ -> exchange.send(401, failed("use_dpop_nonce"), "DPoP-Nonce" to "n${++count}") }.use { server ->
        val client = signedIn(server.url, session.copy(tokenType = TokenType.DPOP), key = newKey())
        expect(rejection<ProblemException> { client.getHistory(USER, limit = 5) }.code == ErrorCode.USE_DPOP_NONCE)
        val proofs = server.received.map { it.headers.getValue("Dpop") }
        expect(proofs.map { part(it, 1).text("nonce") } == listOf(null, "n1")) { proofs }
        expect(proofs.map { part(it, 1).text("jti") }.distinct().size == 2)
        expect(part(proofs[0], 1).text("htu") == "${server.url}/users/$USER/audit")
        expect(part(proofs[0], 0).getValue("jwk").jsonObject.keys == setOf("kty", "crv", "x", "y"))
        expect(server.received[0].path == "/users/$USER/audit?limit=5")
        expect(server.received[0].headers["Authorization"] == "DPoP a0")
    }
}

private fun arguments() = FakeServer { exchange, _ -> exchange.send(200, "{}") }.use { server ->
    val client = signedIn(server.url)
    val storage = StorageClient(bearerCredentials.copy(endpoint = server.url))
    val line = "x\r\nX-Injected: 1"
    val upload = ReservedUpload("${server.url}/k", mapOf("content-type" to line), "2026-11-21T06:03:50Z")
    val wrongKey = KeyPairGenerator.getInstance("EC").apply { initialize(ECGenParameterSpec("secp384r1")) }.generateKeyPair()
    val calls = listOf<() -> Unit>(
        { client.removeDevice("..") }, { client.removeDevice("$USER/../$USER") }, { client.getUser("") },
        { client.deleteSharedLink("..") }, { client.deleteSharedLink("0".repeat(32) + "\n") },
        { client.replaceProfile(USER, Profile(), ifMatch = line) }, { client.replaceProfile(USER, Profile(), ifMatch = "é") },
        { signedIn(server.url, session.copy(accessToken = line)).listDevices() },
        { storage.put("k", ByteArray(1), contentType = line) }, { storage.get("photos/../x") }, { storage.get("./x") },
        { storage.get("") }, { storage.get("\uD800") }, { uploadReserved(upload, ByteArray(1)) },
        { uploadReserved(upload.copy(url = "http://store.example/k"), ByteArray(1)) },
        { StorageClient(bearerCredentials.copy(endpoint = "http://store.example")) },
        { Client("http://photos.example") }, { Client("photos.example") }, { Client("https://user:password@photos.example") },
        { Client("https://photos.example/?a=1") }, { Client("javascript:alert(1)") }, { Client("https://a b") },
        { signedIn(server.url, session.copy(tokenType = TokenType.DPOP)).listDevices() },
        { Client("${server.url}/other", storeOf(server.url)).listDevices() }, { DeviceKey(wrongKey) },
    )
    for ((index, call) in calls.withIndex()) try {
        rejection<InvalidArgumentException>(call)
    } catch (error: AssertionError) {
        throw AssertionError("call $index", error)
    }
    expect(server.received.isEmpty())
}

/** A store with another clock: one repetition, with its time. */
private fun clocks() = FakeServer { exchange, _ ->
    exchange.send(403, "<Error><Code>RequestTimeTooSkewed</Code></Error>", "Date" to "Tue, 01 Feb 2022 00:00:00 GMT")
}.use { server ->
    val clock = Clock.fixed(Instant.parse("2020-01-01T00:00:00Z"), ZoneOffset.UTC)
    val storage = StorageClient(bearerCredentials.copy(endpoint = server.url), clock = clock)
    expect(rejection<StorageException> { storage.get("a//b") }.code == "RequestTimeTooSkewed")
    val times = server.received.map { it.headers["X-amz-date"] }
    expect(times.first() == "20200101T000000Z" && times.size == 2 && times.last() != times.first()) { times }
    expect(server.received.first().path == "/b/a//b")
}
