package photolala.client

import java.security.KeyPairGenerator
import java.security.spec.ECGenParameterSpec
import java.time.Instant
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock

/**
 * A session in a store. It contains tokens: store it where only the app reads it.
 *
 * @property id the same for all tokens of one sign-in
 * @property server the address of the server that issued the tokens, which are sent to no other
 * @property deviceKey the key of a bound session
 * @property renewAt when the access token is renewed, by this device's clock
 */
data class StoredSession(
    val id: String,
    val server: String,
    val session: Session,
    val deviceKey: DeviceKey?,
    val renewAt: Instant,
)

/** Keeps the session of a device. Methods throw [SessionStoreException]. */
interface SessionStore {
    /** Creates the key of the next session. Without a key, its tokens are bearer tokens. */
    fun newKey(): DeviceKey?

    fun load(): StoredSession?

    fun save(session: StoredSession)

    /** Removes the session and its key. */
    fun clear()

    /**
     * Runs [change] while no other client of the store does, also in other processes. In it, the client loads the session
     * again and uses its refresh token. [change] never calls [exclusively].
     */
    fun <T> exclusively(change: () -> T): T
}

/** Keeps a session until the program ends. With [bindsSessions], new sessions are bound to a key. */
class MemorySessionStore(session: StoredSession? = null, private val bindsSessions: Boolean = true) : SessionStore {
    private val lock = ReentrantLock()

    @Volatile
    private var stored = session

    override fun newKey(): DeviceKey? = if (!bindsSessions) null else DeviceKey(
        KeyPairGenerator.getInstance("EC").run {
            initialize(ECGenParameterSpec("secp256r1"))
            generateKeyPair()
        },
    )

    override fun load(): StoredSession? = stored

    override fun save(session: StoredSession) {
        stored = session
    }

    override fun clear() {
        stored = null
    }

    override fun <T> exclusively(change: () -> T): T = lock.withLock(change)
}
