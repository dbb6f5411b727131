package photolala.client

import java.io.File
import java.io.FileOutputStream
import java.io.IOException
import java.io.RandomAccessFile
import java.nio.file.Files
import java.nio.file.StandardCopyOption.ATOMIC_MOVE
import java.security.GeneralSecurityException
import java.security.ProviderException
import java.time.Instant
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.locks.ReentrantLock
import javax.crypto.AEADBadTagException
import javax.crypto.Cipher
import javax.crypto.SecretKey
import javax.crypto.spec.GCMParameterSpec
import kotlin.concurrent.withLock
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException

/** The keys of a [KeyStoreSessionStore]. */
interface SessionKeys {
    /** Returns a signing key; `null` if there is none. */
    fun signingKey(alias: String): DeviceKey?

    /** Creates an EC P-256 key that signs SHA-256. */
    fun createSigningKey(alias: String): DeviceKey

    /** Returns the AES key that seals the session; `null` if there is none. */
    fun sealingKey(alias: String): SecretKey?

    fun createSealingKey(alias: String): SecretKey

    /** Removes a key, if there is one. */
    fun delete(alias: String)
}

/**
 * Keeps a session in [folder], sealed with a key of a key store. Sessions are bound to another one. A session whose keys are
 * gone counts as signed out. All processes may share the folder: they take turns with a lock on a file.
 */
class KeyStoreSessionStore(private val folder: File, private val keys: SessionKeys) : SessionStore {
    private val file = File(folder, "session")

    override fun newKey(): DeviceKey? = guarded {
        // The key of the stored session stays until the next one is stored.
        val used = read()?.let(::opened)?.key
        val free = SIGNING_ALIASES.first { it != used }
        keys.delete(free)
        keys.createSigningKey(free)
    }

    override fun load(): StoredSession? = guarded {
        var bytes = read()
        var stored = bytes?.let(::opened)?.stored()
        // A sign-in may have replaced the file and removed its keys in between.
        while (bytes != null && stored == null) {
            val current = read()
            if (current != null && current.contentEquals(bytes)) break
            bytes = current
            stored = bytes?.let(::opened)?.stored()
        }
        stored
    }

    override fun save(session: StoredSession) = guarded {
        val alias = session.deviceKey?.let { key ->
            SIGNING_ALIASES.firstOrNull { keys.signingKey(it)?.publicKey?.encoded.contentEquals(key.publicKey.encoded) }
                ?: throw SessionStoreException("The device key is not of this store.")
        }
        val entry = Entry(session.id, session.server, session.session, alias, session.renewAt.toString())
        val text = json.encodeToString(Entry.serializer(), entry)
        val key = keys.sealingKey(SEALING_ALIAS) ?: keys.createSealingKey(SEALING_ALIAS)
        val cipher = Cipher.getInstance(CIPHER).apply { init(Cipher.ENCRYPT_MODE, key) }
        val sealed = cipher.doFinal(text.encodeToByteArray())
        write(cipher.iv + sealed)
        SIGNING_ALIASES.filter { it != alias }.forEach(keys::delete)
    }

    override fun clear() = guarded {
        Files.deleteIfExists(file.toPath())
        (SIGNING_ALIASES + SEALING_ALIAS).forEach(keys::delete)
    }

    override fun <T> exclusively(change: () -> T): T {
        val lockFile = guarded {
            folder.mkdirs()
            File(folder, "lock").canonicalFile
        }
        // The system's lock is that of the process, not of the thread.
        return threads.getOrPut(lockFile.path) { ReentrantLock() }.withLock {
            guarded { RandomAccessFile(lockFile, "rw") }.use { opened ->
                guarded { opened.channel.lock() }
                change()
            }
        }
    }

    private fun read(): ByteArray? = if (file.exists()) file.readBytes() else null

    /** Returns what a file contains; `null` if its key is gone. */
    private fun opened(bytes: ByteArray): Entry? {
        val key = keys.sealingKey(SEALING_ALIAS) ?: return null
        if (bytes.size < IV_BYTES) return null
        val cipher = Cipher.getInstance(CIPHER)
        cipher.init(Cipher.DECRYPT_MODE, key, GCMParameterSpec(TAG_BITS, bytes, 0, IV_BYTES))
        return try {
            json.decodeFromString(Entry.serializer(), cipher.doFinal(bytes, IV_BYTES, bytes.size - IV_BYTES).decodeToString())
        } catch (_: AEADBadTagException) {
            null
        } catch (_: SerializationException) {
            null
        }
    }

    private fun Entry.stored(): StoredSession? {
        val signingKey = key?.let { keys.signingKey(it) ?: return null }
        return StoredSession(id, server, session, signingKey, Instant.parse(renewAt))
    }

    /** Replaces the file. A process that ends in between leaves the old one. */
    private fun write(bytes: ByteArray) {
        folder.mkdirs()
        folder.listFiles { file -> file.name.endsWith(PART) }?.forEach(File::delete)
        // On POSIX systems, only the owner can read it.
        val part = Files.createTempFile(folder.toPath(), "session", PART)
        FileOutputStream(part.toFile()).use {
            it.write(bytes)
            it.fd.sync()
        }
        Files.move(part, file.toPath(), ATOMIC_MOVE)
    }

    @Serializable
    private class Entry(val id: String, val server: String, val session: Session, val key: String?, val renewAt: String)

    private companion object {
        val SIGNING_ALIASES = listOf("session-1", "session-2")
        const val SEALING_ALIAS = "sealing"
        const val CIPHER = "AES/GCM/NoPadding"
        const val IV_BYTES = 12
        const val TAG_BITS = 128
        const val PART = ".new"
        val threads = ConcurrentHashMap<String, ReentrantLock>()
    }
}

private inline fun <T> guarded(body: () -> T): T = try {
    body()
} catch (error: IOException) {
    throw SessionStoreException("The session cannot be stored or read.", error)
} catch (error: GeneralSecurityException) {
    throw SessionStoreException("The device's key store failed.", error)
} catch (error: ProviderException) {
    throw SessionStoreException("The device's key store failed.", error)
}
