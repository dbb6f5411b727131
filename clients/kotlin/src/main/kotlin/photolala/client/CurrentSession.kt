package photolala.client

import java.time.Clock
import java.time.Duration
import java.time.Instant
import java.time.format.DateTimeParseException
import java.util.UUID
import java.util.concurrent.ExecutionException
import java.util.concurrent.FutureTask

/** The remaining lifetime below which an access token is renewed before use. */
private val margin = Duration.ofSeconds(60)

/** The time after the first use of a refresh token in which the server returns the same successor again, and a margin. */
private val grace = Duration.ofSeconds(25)
private const val ATTEMPTS = 3

/** The session in a client's store. One client at a time renews it. */
internal class CurrentSession(
    private val store: SessionStore,
    private val server: String,
    private val clock: Clock,
    /** Exchanges the refresh token. */
    private val request: (StoredSession) -> Session,
) {
    private val lock = Any()
    private var renewal: FutureTask<Unit>? = null

    /** What this client last read or wrote. */
    @Volatile
    private var known: StoredSession? = null

    /** How far the server's clock is ahead. */
    @Volatile
    private var ahead = Duration.ZERO

    /** Sets the server's time from a response. */
    fun setServerTime(date: String?) {
        date?.let(::date)?.let { ahead = Duration.between(clock.instant(), it) }
    }

    /** Reads the session from the store. */
    fun load(): StoredSession? {
        val stored = store.load()
        if (stored != null && stored.server != server) {
            throw InvalidArgumentException("The stored session belongs to ${stored.server}.")
        }
        if (stored != null && stored.session.tokenType == TokenType.DPOP && stored.deviceKey == null) {
            throw InvalidArgumentException("The session is bound to a device key.")
        }
        known = stored
        return stored
    }

    fun get(): StoredSession = known ?: load() ?: throw NotSignedInException()

    /** Returns the session for a call, renewed if its access token expires within a minute. */
    fun usable(): StoredSession {
        awaitRenewal()
        val stored = get()
        if (!isDue(stored)) return stored
        return try {
            renewed(stored)
        } catch (error: PhotolalaException) {
            // The access token may still be valid: only the server decides.
            if (retryDelay(error) == null) throw error
            stored
        }
    }

    /** Returns the successor of an outdated session. */
    fun renewed(outdated: StoredSession): StoredSession {
        if (known?.session?.accessToken == outdated.session.accessToken) renew(outdated)
        // A call of one account must not be made for another.
        return known?.takeIf { it.id == outdated.id } ?: throw NotSignedInException()
    }

    /** Renews a session, unless another client has. Concurrent calls share one renewal. */
    fun renew(outdated: StoredSession) {
        val task = synchronized(lock) { renewal ?: FutureTask { requestRenewal(outdated) }.also { renewal = it } }
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

    /** Stores the session that [request] opens with a new key. */
    fun open(request: (DeviceKey?) -> SignedIn): SignedIn = store.exclusively {
        val key = store.newKey()
        val result = request(key)
        val session = result.session
        val boundTo = key.takeIf { session.tokenType == TokenType.DPOP }
        save(StoredSession(UUID.randomUUID().toString(), server, session, boundTo, renewalTime(session)))
        result
    }

    /** Changes the tokens of a session, unless another sign-in has replaced it. */
    fun update(old: StoredSession, change: (Session) -> Session) = ifCurrent(old) { stored ->
        val session = change(stored.session)
        save(stored.copy(session = session, renewAt = renewalTime(session)))
    }

    /** Removes a session, unless another sign-in has replaced it. */
    fun forget(old: StoredSession) = ifCurrent(old) { clear() }

    /** Makes a last call with the session, and removes it; also one that cannot be read. */
    fun end(call: (StoredSession) -> Unit) = store.exclusively {
        try {
            load()?.let(call)
        } catch (error: InvalidArgumentException) {
            // A session of another server is not this client's.
            throw error
        } catch (error: PhotolalaException) {
            clear()
            throw error
        }
        clear()
    }

    private fun awaitRenewal() {
        try {
            synchronized(lock) { renewal }?.get()
        } catch (_: ExecutionException) {
            // The call that renews reports it.
        }
    }

    /** Requests the successor, again if its response is lost, while the server returns the same one. */
    private fun requestRenewal(outdated: StoredSession) {
        var token = ""
        var attempt = 0
        var start = Instant.EPOCH
        while (true) {
            try {
                return store.exclusively {
                    val stored = load() ?: throw NotSignedInException()
                    val isRenewed = stored.session.accessToken != outdated.session.accessToken
                    if (!isRenewed || isDue(stored)) {
                        if (stored.session.refreshToken != token) {
                            token = stored.session.refreshToken
                            attempt = 0
                            start = clock.instant()
                        }
                        attempt += 1
                        exchange(stored)
                    }
                }
            } catch (error: PhotolalaException) {
                val delay = retryDelay(error)
                val elapsed = Duration.between(start, clock.instant())
                if (delay == null || attempt >= ATTEMPTS || elapsed + delay >= grace) throw error
                Thread.sleep(delay.toMillis())
            }
        }
    }

    /** Uses the refresh token and stores its successor before it can be used. */
    private fun exchange(stored: StoredSession) {
        try {
            val session = request(stored)
            save(stored.copy(session = session, renewAt = renewalTime(session)))
        } catch (error: ProblemException) {
            if (error.code == ErrorCode.SESSION_ENDED) clear()
            throw error
        }
    }

    private fun ifCurrent(old: StoredSession, change: (StoredSession) -> Unit) = store.exclusively {
        val stored = load()
        if (stored?.id == old.id) change(stored)
    }

    private fun save(stored: StoredSession) {
        store.save(stored)
        known = stored
    }

    private fun clear() {
        store.clear()
        known = null
    }

    private fun isDue(stored: StoredSession) = !clock.instant().isBefore(stored.renewAt)

    /** Returns a time of this device's clock, which may be wrong. */
    private fun renewalTime(session: Session): Instant {
        val expiry = try {
            Instant.parse(session.accessTokenExpiresAt) - ahead
        } catch (_: DateTimeParseException) {
            return Instant.MAX
        }
        return expiry - minOf(margin, Duration.between(clock.instant(), expiry).dividedBy(2))
    }
}

/** Returns the time after which a renewal is repeated; `null` if the server has decided. */
private fun retryDelay(error: PhotolalaException): Duration? = when {
    error is NetworkException -> Duration.ZERO
    error is ResponseException && error.status >= 500 -> Duration.ZERO
    error is ProblemException && error.code == ErrorCode.TEMPORARILY_UNAVAILABLE -> Duration.ofSeconds(error.retryAfter ?: 0)
    else -> null
}
