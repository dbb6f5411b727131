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
private val session = Session(TokenType.BEARER, "a0", "2026-11-21T06:03:50Z", "r0", "2026-12-21T05:03:50Z", USER)
private val bearerCredentials = StorageCredentials(
    "a", "s", "t", "2026-11-21T06:03:50Z", "http://127.0.0.1", "r", "b", emptyList(), StorageAccessLevel.READ_WRITE)

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

private fun part(proof: String, index: Int): JsonObject =
    Json.parseToJsonElement(Base64.getUrlDecoder().decode(proof.split(".")[index]).decodeToString()).jsonObject

private fun JsonObject.text(name: String) = get(name)?.jsonPrimitive?.content

fun attacks() {
    redirects()
    answers()
    limits()
    renewals()
    nonces()
    arguments()
    clocks()
    expect(listOf(session, bearerCredentials).none { "r0" in it.toString() || "key" in it.toString() })
}

private fun redirects() = FakeServer { exchange, _ -> exchange.send(200, "{}") }.use { elsewhere ->
    for (status in listOf(301, 302, 303, 307, 308)) {
        FakeServer { exchange, _ -> exchange.send(status, "", "Location" to "${elsewhere.url}/users") }.use { server ->
            val client = Client(server.url, session = session)
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
        val error = rejection<ResponseException> { Client(server.url, session = session).listDevices() }
        expect(error.status == status && error.reason == ResponseException.Reason.MALFORMED) { "$status $text: $error" }
    }
    FakeServer { exchange, _ -> exchange.send(429, failed("new_code"), "Retry-After" to "17") }.use { server ->
        val error = rejection<ProblemException> { Client(server.url, session = session).listDevices() }
        expect(error.status == 429 && error.code == ErrorCode("new_code") && error.retryAfter == 17L)
    }
    FakeServer { exchange, _ -> exchange.send(200, """{"devices": [], "added": {"later": 1}}""") }.use { server ->
        expect(Client(server.url, session = session).listDevices().devices.isEmpty())
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
        val client = Client(server.url, session = session, maximumBytes = 1 shl 20)
        expect(rejection<ResponseException> { client.listDevices() }.reason == ResponseException.Reason.TOO_LARGE)
    }
    val never = CountDownLatch(1)
    FakeServer { _, _ -> never.await() }.use { server ->
        expect(rejection<NetworkException> { Client(server.url, session = session, timeoutMillis = 100).listDevices() }.isTimeout)
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
        expect(rejection<NetworkException> { Client(server.url, session = session, timeoutMillis = 500).listDevices() }.isTimeout)
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
        val stored = Collections.synchronizedList(mutableListOf<String?>())
        val client = Client("${server.url}/base//", session = session, onSession = { stored += it?.accessToken })
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
        expect(stored.toList() == listOf("a1", "a1")) { stored }
    }
    // A renewal does not replace a session that was opened during it.
    val asked = CountDownLatch(1)
    val signedIn = CountDownLatch(1)
    FakeServer { exchange, _ ->
        if (exchange.requestURI.path == "/auth/refresh") {
            asked.countDown()
            signedIn.await()
            exchange.send(200, renewed("a1", "r1"))
        } else {
            val user = """{"serviceUserID": "$USER", "primaryProvider": "apple", "linkedProviders": [],
                "createdAt": "2026-11-21T05:03:50Z", "subscription": {"tier": "new", "storageLimit": 1}}"""
            exchange.send(200, renewed("b0", "q0").replaceFirst("{", """{"user": $user, """))
        }
    }.use { server ->
        val client = Client(server.url, session = session)
        val pool = Executors.newSingleThreadExecutor()
        val renewal = pool.submit { client.refresh() }
        asked.await()
        client.signIn(SignInRequest("apple", "t", device = DeviceDescription(id = USER, name = "n", platform = "android")))
        signedIn.countDown()
        renewal.get()
        pool.shutdown()
        expect(client.session!!.accessToken == "b0")
    }
    // A session whose new token is refused, too, is not renewed forever.
    FakeServer { exchange, _ ->
        if (exchange.requestURI.path == "/auth/refresh") exchange.send(200, renewed("a1", "r1")) else exchange.send(401, failed("unauthorized"))
    }.use { server ->
        expect(rejection<ProblemException> { Client(server.url, session = session).listDevices() }.code == ErrorCode.UNAUTHORIZED)
        expect(server.received.size == 3)
    }
}

private fun nonces() {
    var count = 0
    FakeServer { exchange, _ -> exchange.send(401, failed("use_dpop_nonce"), "DPoP-Nonce" to "n${++count}") }.use { server ->
        val client = Client(server.url, newKey(), session.copy(tokenType = TokenType.DPOP))
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
    val client = Client(server.url, session = session)
    val storage = StorageClient(bearerCredentials.copy(endpoint = server.url))
    val line = "x\r\nX-Injected: 1"
    val upload = ReservedUpload("${server.url}/k", mapOf("content-type" to line), "2026-11-21T06:03:50Z")
    val wrongKey = KeyPairGenerator.getInstance("EC").apply { initialize(ECGenParameterSpec("secp384r1")) }.generateKeyPair()
    val calls = listOf<() -> Unit>(
        { client.removeDevice("..") }, { client.removeDevice("$USER/../$USER") }, { client.getUser("") },
        { client.replaceProfile(USER, Profile(), ifMatch = line) }, { client.replaceProfile(USER, Profile(), ifMatch = "é") },
        { Client(server.url, session = session.copy(accessToken = line)).listDevices() },
        { storage.put("k", ByteArray(1), contentType = line) }, { storage.get("photos/../x") }, { storage.get("./x") },
        { storage.get("") }, { storage.get("\uD800") }, { uploadReserved(upload, ByteArray(1)) },
        { uploadReserved(upload.copy(url = "http://store.example/k"), ByteArray(1)) },
        { StorageClient(bearerCredentials.copy(endpoint = "http://store.example")) },
        { Client("http://photos.example") }, { Client("photos.example") }, { Client("https://user:password@photos.example") },
        { Client("https://photos.example/?a=1") }, { Client("javascript:alert(1)") }, { Client("https://a b") },
        { Client(server.url, session = session.copy(tokenType = TokenType.DPOP)) }, { DeviceKey(wrongKey) },
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
