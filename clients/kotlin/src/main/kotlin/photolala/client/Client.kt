package photolala.client

import java.time.Clock
import java.util.UUID
import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.builtins.serializer

/**
 * A device at a Photolala server. Renews its session a minute before the access token expires. All calls block, so call them
 * on a background thread; threads may share a client.
 *
 * @param baseURL the server's public URL, with or without a path
 * @param store keeps the session. Several clients may share one store
 * @param timeoutMillis the deadline of a request
 * @param maximumBytes the most bytes of a response
 * @param clock the device's clock. If it is wrong, the client renews tokens by the server's time
 */
class Client(
    baseURL: String,
    store: SessionStore = MemorySessionStore(),
    private val transport: Transport = URLConnectionTransport(),
    private val timeoutMillis: Long = 30_000,
    private val maximumBytes: Int = 64 shl 20,
    private val clock: Clock = Clock.systemUTC(),
) : Operations() {
    private val baseURL = address(baseURL)
    private val session = CurrentSession(store, this.baseURL, clock, ::requestRenewal)

    @Volatile
    private var nonce: String? = null

    /** Returns the session in the store, if any; it contains tokens. Sends nothing. */
    fun currentSession(): Session? = session.load()?.session

    /** Issues a challenge for the provider's `nonce`. `POST /auth/challenge` */
    fun createChallenge(body: ChallengeRequest): Challenge {
        val isInSession =
            body.purpose == ChallengeRequestPurpose.LINK || body.purpose == ChallengeRequestPurpose.REAUTHENTICATE
        val access = if (isInSession) Access.SESSION else Access.NONE
        val call = Call("POST", "/auth/challenge", access, body = encode(body, ChallengeRequest.serializer()))
        return send(call, Challenge.serializer())
    }

    /** Creates an account. `POST /auth/signup` */
    fun signUp(body: SignUpRequest): SignedIn = openSignUp("/auth/signup", body)

    /** Signs in to an existing account. `POST /auth/signin` */
    fun signIn(body: SignInRequest): SignedIn = open("/auth/signin") { key ->
        encode(body.copy(device = described(body.device, key)), SignInRequest.serializer())
    }

    /** Signs in, or creates an account, if the deployment allows it. `POST /auth/continue` */
    fun continueSignIn(body: SignUpRequest): SignedIn = openSignUp("/auth/continue", body)

    override fun reauthenticate(body: ReauthenticationRequest): Reauthenticated {
        val old = session.usable()
        val result = super.reauthenticate(body)
        val new = result.session
        session.update(old) {
            // A bearer session keeps its refresh token, which the response does not repeat.
            it.copy(accessToken = new.accessToken, accessTokenExpiresAt = new.accessTokenExpiresAt,
                refreshToken = new.refreshToken ?: it.refreshToken)
        }
        return result
    }

    /** Renews the tokens; calls do this themselves. Concurrent calls share one request. `POST /auth/refresh` */
    fun refresh() = session.renew(session.get())

    /**
     * Ends the session, also with an expired access token. The store is empty afterwards, even if the server does not answer
     * and the call fails. `POST /auth/signout`
     */
    fun signOut() = session.end { stored ->
        val body = encode(SignOutRequest(stored.session.refreshToken), SignOutRequest.serializer())
        try {
            val call = Call("POST", "/auth/signout", Access.PROOF, body = body)
            request(call, null, stored.deviceKey, Unit.serializer())
        } catch (error: ProblemException) {
            if (error.code != ErrorCode.SESSION_ENDED) throw error
        }
    }

    override fun signOutEverywhere() {
        val old = session.usable()
        super.signOutEverywhere()
        session.forget(old)
    }

    override fun requestDeletion(body: DeletionRequest): DeletionOverview {
        val old = session.usable()
        val result = super.requestDeletion(body)
        session.forget(old)
        return result
    }

    override fun <T> send(call: Call, result: KSerializer<T>): T = sendTagged(call, result).value

    override fun <T> sendTagged(call: Call, result: KSerializer<T>): Tagged<T> {
        if (call.access != Access.SESSION) return request(call, null, null, result)
        val stored = session.usable()
        try {
            return attempt(call, stored, result)
        } catch (error: ProblemException) {
            if (error.code != ErrorCode.UNAUTHORIZED) throw error
        }
        // Nothing was done: the access token has expired. The device's clock may be wrong, so only the server decides.
        return attempt(call, session.renewed(stored), result)
    }

    override fun <T> encode(body: T, serializer: KSerializer<T>): ByteArray =
        json.encodeToString(serializer, body).encodeToByteArray()

    private fun <T> attempt(call: Call, stored: StoredSession, result: KSerializer<T>): Tagged<T> = try {
        request(call, stored.session, stored.deviceKey, result)
    } catch (error: ProblemException) {
        if (error.code == ErrorCode.SESSION_ENDED) session.forget(stored)
        throw error
    }

    private fun openSignUp(path: String, body: SignUpRequest): SignedIn = open(path) { key ->
        val described = when (body) {
            is SignUpWithIDToken -> body.copy(device = described(body.device, key))
            is SignUpWithPendingIdentity -> body.copy(device = described(body.device, key))
        }
        encode(described, SignUpRequest.serializer())
    }

    private fun open(path: String, body: (DeviceKey?) -> ByteArray): SignedIn = session.open { key ->
        request(Call("POST", path, Access.PROOF, body = body(key)), null, key, SignedIn.serializer()).value
    }

    private fun described(device: DeviceDescription, key: DeviceKey?): DeviceDescription =
        if (key?.isInHardware == true) device.copy(hardwareKey = true) else device

    private fun requestRenewal(stored: StoredSession): Session {
        val body = encode(RefreshRequest(stored.session.refreshToken), RefreshRequest.serializer())
        val call = Call("POST", "/auth/refresh", Access.PROOF, body = body)
        val deadline = minOf(timeoutMillis, ATTEMPT_MILLIS)
        return request(call, null, stored.deviceKey, SessionResponse.serializer(), deadline).value.session
    }

    /** Sends a call, and repeats it once with the nonce that the server demands. */
    private fun <T> request(
        call: Call, tokens: Session?, key: DeviceKey?, result: KSerializer<T>, deadline: Long = timeoutMillis,
    ): Tagged<T> {
        val response = exchange(call, tokens, key, deadline)
        val error = if (response.status < 300) null else failure(response)
        val isNonceRequired = error is ProblemException && error.code == ErrorCode.USE_DPOP_NONCE
        if (error != null && !(isNonceRequired && "dpop-nonce" in response.headers)) throw error
        val last = if (error == null) response else exchange(call, tokens, key, deadline)
        if (last.status >= 300) throw failure(last)
        return Tagged(decode(last, result), last.headers["etag"] ?: "")
    }

    private fun exchange(call: Call, tokens: Session?, key: DeviceKey?, deadline: Long): HttpResponse {
        val url = baseURL + call.path
        val headers = mutableListOf("Accept" to "application/json, application/problem+json")
        headers += call.headers
        if (tokens != null) headers += "Authorization" to fieldValue("${tokens.tokenType.value} ${tokens.accessToken}")
        if (call.body != null) headers += "Content-Type" to "application/json"
        if (key != null && tokens?.tokenType != TokenType.BEARER) {
            val id = UUID.randomUUID().toString()
            headers += "DPoP" to key.proof(call.method, url, nonce, tokens?.accessToken, id, clock.instant())
        }
        val target = if (call.query.isEmpty()) url else "$url?${call.query}"
        val response = transport.send(HttpRequest(call.method, target, headers, call.body, deadline, maximumBytes))
        if (response.status in 300..399) throw ResponseException(response.status, ResponseException.Reason.REDIRECT)
        response.headers["dpop-nonce"]?.let { nonce = it }
        session.setServerTime(response.headers["date"])
        return response
    }
}

/** The deadline of one attempt of a renewal. Three attempts fit into the server's 30 seconds. */
private const val ATTEMPT_MILLIS = 8_000L

private fun <T> decode(response: HttpResponse, result: KSerializer<T>): T = try {
    val text = response.body.decodeToString(throwOnInvalidSequence = true)
    json.decodeFromString(result, if (response.status == 204) "{}" else text)
} catch (_: SerializationException) {
    throw malformed(response)
} catch (_: CharacterCodingException) {
    throw malformed(response)
}

private fun failure(response: HttpResponse): PhotolalaException = try {
    val document = json.parseToJsonElement(response.body.decodeToString(throwOnInvalidSequence = true))
    val problem = json.decodeFromJsonElement(Problem.serializer(), document)
    ProblemException(response.status, problem, response.headers["retry-after"]?.toLongOrNull(), document)
} catch (_: SerializationException) {
    malformed(response)
} catch (_: CharacterCodingException) {
    malformed(response)
}

private fun malformed(response: HttpResponse) = ResponseException(response.status, ResponseException.Reason.MALFORMED)
