package photolala.client

import java.time.Clock
import java.util.UUID
import java.util.concurrent.ExecutionException
import java.util.concurrent.FutureTask
import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.builtins.serializer

/**
 * A device at a Photolala server. Renews its session when the access token has expired. All calls block, so call them on
 * a background thread; threads may share a client.
 *
 * @param baseURL the server's public URL, with or without a path
 * @param deviceKey binds sessions to this key; without it they have bearer tokens
 * @param session the stored session
 * @param onSession stores each new session, `null` after its end. Calls wait for it, and it must not use the client
 * @param timeoutMillis the deadline of a request
 * @param maximumBytes the most bytes of a response
 * @param clock the time of DPoP proofs, which the server does not check
 */
class Client(
    baseURL: String,
    private val deviceKey: DeviceKey? = null,
    session: Session? = null,
    private val onSession: (Session?) -> Unit = {},
    private val transport: Transport = URLConnectionTransport(),
    private val timeoutMillis: Long = 30_000,
    private val maximumBytes: Int = 64 shl 20,
    private val clock: Clock = Clock.systemUTC(),
) : Operations() {
    private val baseURL = address(baseURL)
    private val lock = Any()
    private var current = session
    private var renewal: Renewal? = null

    @Volatile
    private var nonce: String? = null

    init {
        if (session?.tokenType == TokenType.DPOP && deviceKey == null) {
            throw InvalidArgumentException("The session is bound to a device key.")
        }
    }

    /** The current session. It contains tokens: store it where only the app reads it. */
    val session: Session? get() = synchronized(lock) { current }

    /** Issues a challenge for the provider's `nonce`. `POST /auth/challenge` */
    fun createChallenge(body: ChallengeRequest): Challenge {
        val isInSession =
            body.purpose == ChallengeRequestPurpose.LINK || body.purpose == ChallengeRequestPurpose.REAUTHENTICATE
        val access = if (isInSession) Access.SESSION else Access.NONE
        val call = Call("POST", "/auth/challenge", access, body = encode(body, ChallengeRequest.serializer()))
        return send(call, Challenge.serializer())
    }

    /** Creates an account. `POST /auth/signup` */
    fun signUp(body: SignUpRequest): SignedIn = open("/auth/signup", encode(body, SignUpRequest.serializer()))

    /** Signs in to an existing account. `POST /auth/signin` */
    fun signIn(body: SignInRequest): SignedIn = open("/auth/signin", encode(body, SignInRequest.serializer()))

    /** Signs in, or creates an account, if the deployment allows it. `POST /auth/continue` */
    fun continueSignIn(body: SignUpRequest): SignedIn = open("/auth/continue", encode(body, SignUpRequest.serializer()))

    override fun reauthenticate(body: ReauthenticationRequest): Reauthenticated {
        val result = super.reauthenticate(body)
        val new = result.session
        synchronized(lock) {
            // A bearer session keeps its refresh token, which the response does not repeat.
            current?.let {
                store(it.copy(accessToken = new.accessToken, accessTokenExpiresAt = new.accessTokenExpiresAt,
                    refreshToken = new.refreshToken ?: it.refreshToken))
            }
        }
        return result
    }

    /** Renews the tokens; calls do this themselves. Concurrent calls share one request. `POST /auth/refresh` */
    fun refresh() = renew(session ?: throw NotSignedInException())

    /** Ends the session, also with an expired access token. `POST /auth/signout` */
    fun signOut() {
        awaitRenewal()
        val session = session ?: return
        val body = encode(SignOutRequest(session.refreshToken), SignOutRequest.serializer())
        try {
            request(Call("POST", "/auth/signout", Access.PROOF, body = body), null, Unit.serializer())
        } catch (error: ProblemException) {
            if (error.code != ErrorCode.SESSION_ENDED) throw error
        }
        drop(session)
    }

    override fun signOutEverywhere() {
        super.signOutEverywhere()
        synchronized(lock) { store(null) }
    }

    override fun requestDeletion(body: DeletionRequest): DeletionOverview {
        val result = super.requestDeletion(body)
        synchronized(lock) { store(null) }
        return result
    }

    override fun <T> send(call: Call, result: KSerializer<T>): T = sendTagged(call, result).value

    override fun <T> sendTagged(call: Call, result: KSerializer<T>): Tagged<T> {
        if (call.access != Access.SESSION) return request(call, null, result)
        awaitRenewal()
        val session = session ?: throw NotSignedInException()
        try {
            return attempt(call, session, result)
        } catch (error: ProblemException) {
            if (error.code != ErrorCode.UNAUTHORIZED) throw error
        }
        // Nothing was done: the access token has expired. The device's clock may be wrong, so only the server decides.
        renew(session)
        return attempt(call, this.session ?: throw NotSignedInException(), result)
    }

    override fun <T> encode(body: T, serializer: KSerializer<T>): ByteArray =
        json.encodeToString(serializer, body).encodeToByteArray()

    private fun <T> attempt(call: Call, session: Session, result: KSerializer<T>): Tagged<T> = try {
        request(call, session, result)
    } catch (error: ProblemException) {
        if (error.code == ErrorCode.SESSION_ENDED) drop(session)
        throw error
    }

    private fun open(path: String, body: ByteArray): SignedIn {
        val result = request(Call("POST", path, Access.PROOF, body = body), null, SignedIn.serializer()).value
        synchronized(lock) { store(result.session) }
        return result
    }

    private inner class Renewal(val session: Session) : FutureTask<Unit>({ requestRenewal(session) })

    /** Renews a session unless another call has replaced it. One request at a time: each refresh token is used once. */
    private fun renew(session: Session) {
        val task = synchronized(lock) {
            if (current !== session) return
            renewal?.takeIf { it.session === session } ?: Renewal(session).also { renewal = it }
        }
        // Runs once, in the first thread.
        task.run()
        try {
            task.get()
        } catch (error: ExecutionException) {
            throw error.cause ?: error
        } finally {
            synchronized(lock) { if (renewal === task) renewal = null }
        }
    }

    private fun awaitRenewal() {
        try {
            synchronized(lock) { renewal }?.get()
        } catch (_: ExecutionException) {
            // The call that renews reports it.
        }
    }

    private fun requestRenewal(session: Session) {
        val body = encode(RefreshRequest(session.refreshToken), RefreshRequest.serializer())
        try {
            val call = Call("POST", "/auth/refresh", Access.PROOF, body = body)
            val result = request(call, null, SessionResponse.serializer()).value
            synchronized(lock) { if (current === session) store(result.session) }
        } catch (error: ProblemException) {
            if (error.code == ErrorCode.SESSION_ENDED) drop(session)
            throw error
        }
    }

    private fun store(session: Session?) {
        current = session
        onSession(session)
    }

    private fun drop(session: Session) = synchronized(lock) { if (current === session) store(null) }

    /** Sends a call, and repeats it once with the nonce that the server demands. */
    private fun <T> request(call: Call, session: Session?, result: KSerializer<T>): Tagged<T> {
        val response = exchange(call, session)
        val error = if (response.status < 300) null else failure(response)
        val isNonceRequired = error is ProblemException && error.code == ErrorCode.USE_DPOP_NONCE
        if (error != null && !(isNonceRequired && "dpop-nonce" in response.headers)) throw error
        val last = if (error == null) response else exchange(call, session)
        if (last.status >= 300) throw failure(last)
        return Tagged(decode(last, result), last.headers["etag"] ?: "")
    }

    private fun exchange(call: Call, session: Session?): HttpResponse {
        val url = baseURL + call.path
        val headers = mutableListOf("Accept" to "application/json, application/problem+json")
        headers += call.headers
        if (session != null) headers += "Authorization" to fieldValue("${session.tokenType.value} ${session.accessToken}")
        if (call.body != null) headers += "Content-Type" to "application/json"
        val needsProof = if (session != null) session.tokenType == TokenType.DPOP else call.access == Access.PROOF
        if (needsProof && deviceKey != null) {
            val id = UUID.randomUUID().toString()
            headers += "DPoP" to deviceKey.proof(call.method, url, nonce, session?.accessToken, id, clock.instant())
        }
        val target = if (call.query.isEmpty()) url else "$url?${call.query}"
        val response = transport.send(HttpRequest(call.method, target, headers, call.body, timeoutMillis, maximumBytes))
        if (response.status in 300..399) throw ResponseException(response.status, ResponseException.Reason.REDIRECT)
        response.headers["dpop-nonce"]?.let { nonce = it }
        return response
    }
}

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
